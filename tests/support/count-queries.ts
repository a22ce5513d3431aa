import { vi } from 'vitest';
import type { App } from '../../src/app/server/app.ts';

/**
 * Counts the database queries outside transactions that `work` causes, without those that find the session: they are
 * memoized until the next commit, and background work may commit at any moment.
 */
export async function countQueries(app: Pick<App, 'db'>, work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(app.db.read.getExecutor(), 'executeQuery');
  try {
    await work();
    return spy.mock.calls.filter(([{ sql }]) => !/"(sessionTokens|sessions)"/.test(sql)).length;
  } finally {
    spy.mockRestore();
  }
}
