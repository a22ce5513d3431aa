import { startPostgres } from '../../tests/support/postgres.ts';

/** One line of output: what was measured, the result, and its goal. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
}

/** Measures on SQLite, and on an empty PostgreSQL. `measure` gets the engine's name and the server's variables. */
export async function onBothEngines(
  measure: (engine: string, env: Readonly<Record<string, string>>) => Promise<readonly Figure[]>,
): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    return [...(await measure('SQLite', {})), ...(await measure('PostgreSQL', { DATABASE_URL: postgres.url }))];
  } finally {
    await postgres.stop();
  }
}
