import { type InterceptedApp, interceptQueries, type RunQuery } from './intercept-queries.ts';

/**
 * Runs `interruption` once, between the given query of `work` and what follows it: for changes that happen while a
 * response is read. It makes requests, and doesn't ask the database itself. No query of `work` runs meanwhile. The queries
 * are those that `countQueries` counts.
 * @param after the number of the query, from 1
 * @returns the result of `work`, and whether it had that many queries
 */
export async function interruptAfterQuery<T>(
  app: InterceptedApp,
  after: number,
  interruption: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isInterrupted: boolean }> {
  let count = 0;
  const running = new Set<Promise<unknown>>();
  let interrupted: Promise<void> | null = null;
  let isInterrupting = false;
  const interruptAlone = async () => {
    await Promise.allSettled(running);
    isInterrupting = true;
    await interruption();
    isInterrupting = false;
  };
  const runQuery: RunQuery = async (execute) => {
    await interrupted;
    const query = execute();
    running.add(query);
    const result = await query.finally(() => running.delete(query));
    count += 1;
    if (count === after) interrupted = interruptAlone();
    await interrupted;
    return result;
  };
  const result = await interceptQueries(app, { runQuery, isOfWork: () => !isInterrupting }, work);
  return { result, isInterrupted: count >= after };
}
