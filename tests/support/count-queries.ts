import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { App } from '../../src/app/server/app.ts';

/**
 * Counts the database queries outside transactions that `work` and its requests to the app cause. The app's background work
 * is not counted, nor are the queries that find the session: they are memoized until the next commit, which may happen at
 * any moment.
 */
export async function countQueries(app: Pick<App, 'db' | 'fastify'>, work: () => Promise<unknown>): Promise<number> {
  const ofWork = new AsyncLocalStorage<true>();
  // Before the server's own listener, which then runs in this context with all that it starts.
  const enter = () => ofWork.enterWith(true);
  app.fastify.server.prependListener('request', enter);
  const executor = app.db.read.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  let count = 0;
  const spy = vi.spyOn(executor, 'executeQuery').mockImplementation((query, ...rest) => {
    if (ofWork.getStore() && !/"(sessionTokens|sessions)"/.test(query.sql)) count += 1;
    return execute(query, ...rest);
  });
  try {
    await ofWork.run(true, work);
    return count;
  } finally {
    spy.mockRestore();
    app.fastify.server.off('request', enter);
  }
}
