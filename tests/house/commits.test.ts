import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/tools.ts';

it('the subjects of the last ten commits are short sentences', () => {
  // Without Git, or in an archive of the sources, there are none.
  const { stdout } = spawnSync('git', ['log', '-10', '--no-merges', '--format=%s'], { cwd: root, encoding: 'utf8' });
  const subjects = (stdout ?? '').split('\n').filter((subject) => subject !== '');
  expect(subjects.filter((subject) => !/^[A-Z].{9,71}(?<!\.)$/u.test(subject))).toEqual([]);
});
