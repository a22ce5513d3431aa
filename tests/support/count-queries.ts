import { vi } from 'vitest';
import type { App } from '../../src/app/server/app.ts';

/** How many questions a piece of work asks of the database outside of transactions. */
export async function countQueries(app: Pick<App, 'db'>, work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(app.db.read.getExecutor(), 'executeQuery');
  try {
    await work();
    return asked.mock.calls.length;
  } finally {
    asked.mockRestore();
  }
}
