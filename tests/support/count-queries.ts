import { vi } from 'vitest';
import type { App } from '../../src/app/server/app.ts';

/** Counts the database queries outside transactions that `work` causes. */
export async function countQueries(app: Pick<App, 'db'>, work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(app.db.read.getExecutor(), 'executeQuery');
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}
