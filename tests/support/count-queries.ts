import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { ServerApp } from '../../src/app/server/app.ts';

/**
 * Counts the database queries outside transactions that `work` and its requests to the app cause. The app's background work
 * is not counted, nor are the queries that find the session: they are memoized until the next commit, which may happen at
 * any moment.
 */
export async function countQueries(
  app: Pick<ServerApp, 'db' | 'fastify'>,
  work: () => Promise<unknown>,
): Promise<number> {
  let count = 0;
  await watchQueries(app, async () => void (count += 1), work);
  return count;
}

/**
 * Runs `interruption` once, between the given query of `work` and what follows it: for changes that happen while a
 * response is read. The queries are those that `countQueries` counts.
 * @param after the number of the query, from 1
 * @returns the result of `work`, and whether it had that many queries
 */
export async function interrupt<T>(
  app: Pick<ServerApp, 'db' | 'fastify'>,
  after: number,
  interruption: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isInterrupted: boolean }> {
  let count = 0;
  // The queries of the interruption itself come after it has begun.
  const onQuery = async () => {
    count += 1;
    if (count === after) await interruption();
  };
  const result = await watchQueries(app, onQuery, work);
  return { result, isInterrupted: count >= after };
}

async function watchQueries<T>(
  app: Pick<ServerApp, 'db' | 'fastify'>,
  onQuery: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const ofWork = new AsyncLocalStorage<true>();
  // Before the server's own listener, which then runs in this context with all that it starts.
  const enter = () => ofWork.enterWith(true);
  app.fastify.server.prependListener('request', enter);
  const executor = app.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query, ...rest) => {
    const isCounted = ofWork.getStore() && !/"(sessionTokens|sessions)"/.test(query.sql);
    const result = await execute(query, ...rest);
    if (isCounted) await onQuery();
    return result as never;
  });
  try {
    return await ofWork.run(true, work);
  } finally {
    spy.mockRestore();
    app.fastify.server.off('request', enter);
  }
}
