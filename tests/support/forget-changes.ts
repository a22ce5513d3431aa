import type { TestApp } from './app.ts';

/** Makes a server on PostgreSQL forget when couples' last changes were. Pages ask twice within half a minute after one. */
export async function forgetChanges({ db }: Pick<TestApp, 'db'>): Promise<void> {
  await db.write((tx) => tx.deleteFrom('recentChanges').execute());
}
