import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './lib/tools.ts';

it('npm run engines prints in one line what to install if Ceph is missing and cannot be installed', () => {
  // With only Node on the PATH, neither Ceph nor the package manager is found.
  const env = { PATH: dirname(process.execPath) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/engines.ts')], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Installing '));
  expect(lines).toEqual([expect.stringContaining('install ceph-mon, ceph-osd, radosgw and ceph-common')]);
});
