import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeAbandoned } from '../support/postgres.ts';

it('a test run removes the PostgreSQL folders of killed runs, and not one that another run fills at that moment', {
  tags: ['running.repository.4'],
}, async () => {
  const parent = await mkdtemp(join(tmpdir(), 'our-love-story-'));
  const { pid: killed } = spawnSync(process.execPath, ['--version']);
  const [ours, theirs] = [`our-love-story-pg-${process.pid}-aaaaaa`, `our-love-story-pg-${killed}-bbbbbb`];
  for (const folder of [ours, theirs]) {
    await mkdir(join(parent, folder, 'data'), { recursive: true });
    // While initdb works, PostgreSQL writes its process id with a minus.
    await writeFile(join(parent, folder, 'data/postmaster.pid'), `-${killed}\n`);
  }
  await removeAbandoned(parent);
  expect(await readdir(parent)).toEqual([ours]);
  await rm(parent, { recursive: true });
});
