import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { ServerApp } from '../../src/app/server/app.ts';

type App = Pick<ServerApp, 'db' | 'fastify'>;

/**
 * Counts the database queries outside transactions that `work` and its requests to the app cause. The app's background work
 * is not counted, nor are the queries that find the session: they are memoized until the next commit, which may happen at
 * any moment.
 */
export async function countQueries(app: App, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  await watchQueries(app, { beforeQuery: async () => void (count += 1) }, work);
  return count;
}

/**
 * Runs `interruption` once, between the given query of `work` and what follows it: for changes that happen while a
 * response is read. It makes requests, and doesn't ask the database itself. No query of `work` runs meanwhile. The queries are those that `countQueries` counts.
 * @param after the number of the query, from 1
 * @returns the result of `work`, and whether it had that many queries
 */
export async function interrupt<T>(
  app: App,
  after: number,
  interruption: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly isInterrupted: boolean }> {
  let count = 0;
  let running = 0;
  let allHaveEnded = Promise.withResolvers<void>();
  let interrupted: Promise<unknown> | null = null;
  let isInterrupting = false;
  const interruptAlone = async () => {
    await allHaveEnded.promise;
    isInterrupting = true;
    await interruption();
    isInterrupting = false;
  };
  const watcher = {
    isOfWork: () => !isInterrupting,
    beforeQuery: async () => {
      await interrupted;
      if (running === 0) allHaveEnded = Promise.withResolvers<void>();
      running += 1;
    },
    afterQuery: async () => {
      count += 1;
      running -= 1;
      if (count === after) interrupted = interruptAlone();
      if (running === 0) allHaveEnded.resolve();
      await interrupted;
    },
  };
  const result = await watchQueries(app, watcher, work);
  return { result, isInterrupted: count >= after };
}

interface QueryWatcher {
  /** Whether a request that arrives now is one of the work. Without it, each is. */
  readonly isOfWork?: () => boolean;
  readonly beforeQuery?: () => Promise<void>;
  readonly afterQuery?: () => Promise<void>;
}

async function watchQueries<T>(
  app: App,
  { isOfWork, beforeQuery, afterQuery }: QueryWatcher,
  work: () => Promise<T>,
): Promise<T> {
  const ofWork = new AsyncLocalStorage<boolean>();
  // Before the server's own listener, which then runs in this context with all that it starts.
  const enter = () => ofWork.enterWith(isOfWork?.() ?? true);
  app.fastify.server.prependListener('request', enter);
  const executor = app.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query, ...rest) => {
    if (!ofWork.getStore() || /"(sessionTokens|sessions)"/.test(query.sql))
      return (await execute(query, ...rest)) as never;
    await beforeQuery?.();
    const result = await execute(query, ...rest);
    await afterQuery?.();
    return result as never;
  });
  try {
    return await ofWork.run(true, work);
  } finally {
    spy.mockRestore();
    app.fastify.server.off('request', enter);
  }
}
