import { type InterceptedApp, interceptQueries, type RunQuery } from './intercept-queries.ts';

/**
 * Counts the database queries outside transactions that `work` and its requests to the app cause. The app's background work
 * is not counted, nor are queries that read sessions: the ones that find the session are memoized until the next commit,
 * which may happen at any moment.
 */
export async function countQueries(app: InterceptedApp, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const runQuery: RunQuery = (execute) => {
    count += 1;
    return execute();
  };
  await interceptQueries(app, { runQuery }, work);
  return count;
}
