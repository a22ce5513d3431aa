import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeAbandoned } from '../support/folder-in-memory.ts';

it('a test run removes the folders in memory of killed runs, and not those of others', {
  tags: ['running.repository.4'],
}, async () => {
  const parent = await mkdtemp(join(tmpdir(), 'our-love-story-'));
  const { pid: killed } = spawnSync(process.execPath, ['--version']);
  const [ours, theirs] = [`our-love-story-run-${process.pid}-aaaaaa`, `our-love-story-run-${killed}-bbbbbb`];
  for (const folder of [ours, theirs]) await mkdir(join(parent, folder, 'data'), { recursive: true });
  await removeAbandoned(parent);
  expect(await readdir(parent)).toEqual([ours]);
  await rm(parent, { recursive: true });
});
