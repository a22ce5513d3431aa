import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './lib/tools.ts';

it('npm run engines says in one line what to install where Ceph is missing and cannot be installed', () => {
  // With nothing but Node on the path, neither Ceph nor the package manager is found.
  const env = { PATH: dirname(process.execPath) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/engines.ts')], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Installing '));
  expect(said).toEqual([expect.stringContaining('install ceph-mon, ceph-osd, radosgw and ceph-common')]);
});
