import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainFault } from './explain-fault.ts';

it('what was on a disk that is gone is explained in one line', { tags: ['running.start.2'] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-test-'));
  const error: unknown = await rename(join(folder, 'new.part'), join(folder, 'new')).catch((reason: unknown) => reason);
  await rm(folder, { recursive: true });
  expect(explainFault(error)).toMatch(/^A file or folder is gone\. Its disk may not be mounted \(ENOENT: .*new'\)\.$/);
});
