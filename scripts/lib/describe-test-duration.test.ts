import { expect, it } from 'vitest';
import { describeTestDuration } from './describe-test-duration.ts';

it('npm test says first how long the tests take', { tags: ['running.repository.2'] }, () => {
  expect(describeTestDuration(2)).toContain('about 20 minutes with 2 cores');
  expect(describeTestDuration(1)).toContain('about 40 minutes with 1 core.');
  expect(describeTestDuration(32)).toContain('about 10 minutes with 32 cores');
});
