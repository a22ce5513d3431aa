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
  const runQuery: RunQuery = (execute) => {
    count += 1;
    return execute();
  };
  await watchQueries(app, { runQuery }, work);
  return count;
}

/**
 * Runs `interruption` once, between the given query of `work` and what follows it: for changes that happen while a
 * response is read. It makes requests, and doesn't ask the database itself. No query of `work` runs meanwhile. The queries
 * are those that `countQueries` counts.
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
  const result = await watchQueries(app, { runQuery, isOfWork: () => !isInterrupting }, work);
  return { result, isInterrupted: count >= after };
}

type RunQuery = <R>(execute: () => Promise<R>) => Promise<R>;

interface QueryWatcher {
  /** Runs a query of the work. */
  readonly runQuery: RunQuery;
  /** Whether a request that arrives now is one of the work. Without it, each is. */
  readonly isOfWork?: () => boolean;
}

async function watchQueries<T>(app: App, { runQuery, isOfWork }: QueryWatcher, work: () => Promise<T>): Promise<T> {
  const ofWork = new AsyncLocalStorage<boolean>();
  // Before the server's own listener, which then runs in this context with all that it starts.
  const enter = () => ofWork.enterWith(isOfWork?.() ?? true);
  app.fastify.server.prependListener('request', enter);
  const executor = app.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query, ...rest) => {
    const isWatched = ofWork.getStore() && !/"(sessionTokens|sessions)"/.test(query.sql);
    return (await (isWatched ? runQuery(() => execute(query, ...rest)) : execute(query, ...rest))) as never;
  });
  try {
    return await ofWork.run(true, work);
  } finally {
    spy.mockRestore();
    app.fastify.server.off('request', enter);
  }
}
