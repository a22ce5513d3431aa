import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Waits until the sweep at the start of a server is finished, which labels the photo store and counts itself there. */
export async function untilSwept({ db }: Pick<TestApp, 'db'>): Promise<void> {
  const isSwept = async () => {
    const row = await db.read.selectFrom('scheduledJobs').selectAll().where('name', '=', 'sweep').executeTakeFirst();
    return row?.doneAt !== null && row?.heldUntil === 0;
  };
  await vi.waitUntil(isSwept, { timeout: 20_000 });
}
