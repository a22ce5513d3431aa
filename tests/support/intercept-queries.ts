import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { ServerApp } from '../../src/app/server/app.ts';

export type InterceptedApp = Pick<ServerApp, 'db' | 'fastify'>;

/** Runs a query of the work, by calling `execute`. */
export type RunQuery = <R>(execute: () => Promise<R>) => Promise<R>;

interface QueryInterceptor {
  readonly runQuery: RunQuery;
  /** Whether a request that arrives now belongs to `work`. By default all do. */
  readonly isOfWork?: () => boolean;
}

/**
 * Lets `runQuery` run the database queries outside transactions that `work` and its requests to the app cause, except those
 * that read sessions: the ones that find the session are memoized until the next commit, which may happen at any moment.
 */
export async function interceptQueries<T>(
  app: InterceptedApp,
  { runQuery, isOfWork }: QueryInterceptor,
  work: () => Promise<T>,
): Promise<T> {
  const ofWork = new AsyncLocalStorage<boolean>();
  // Before the server's own listener, which then runs in this context with all that it starts.
  const enter = () => ofWork.enterWith(isOfWork?.() ?? true);
  app.fastify.server.prependListener('request', enter);
  const executor = app.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query, ...rest) => {
    const isIntercepted = ofWork.getStore() && !/"(sessionTokens|sessions)"/.test(query.sql);
    return (await (isIntercepted ? runQuery(() => execute(query, ...rest)) : execute(query, ...rest))) as never;
  });
  try {
    return await ofWork.run(true, work);
  } finally {
    spy.mockRestore();
    app.fastify.server.off('request', enter);
  }
}
