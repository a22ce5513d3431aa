import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { ServerApp } from '../../src/app/server/app.ts';

export type WatchedApp = Pick<ServerApp, 'db' | 'fastify'>;

/** Runs a query of the work, by calling `execute`. */
export type RunQuery = <R>(execute: () => Promise<R>) => Promise<R>;

interface QueryWatcher {
  readonly runQuery: RunQuery;
  /** Whether a request that arrives now is one of the work. Without it, each is. */
  readonly isOfWork?: () => boolean;
}

/**
 * Lets `runQuery` run the database queries outside transactions that `work` and its requests to the app cause, besides those
 * that find the session: they are memoized until the next commit, which may happen at any moment.
 */
export async function watchQueries<T>(
  app: WatchedApp,
  { runQuery, isOfWork }: QueryWatcher,
  work: () => Promise<T>,
): Promise<T> {
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
