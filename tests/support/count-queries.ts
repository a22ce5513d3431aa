import { type RunQuery, type WatchedApp, watchQueries } from './watch-queries.ts';

/**
 * Counts the database queries outside transactions that `work` and its requests to the app cause. The app's background work
 * is not counted, nor are the queries that find the session: they are memoized until the next commit, which may happen at
 * any moment.
 */
export async function countQueries(app: WatchedApp, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const runQuery: RunQuery = (execute) => {
    count += 1;
    return execute();
  };
  await watchQueries(app, { runQuery }, work);
  return count;
}
