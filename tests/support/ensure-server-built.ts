import { ensureBuilt } from '../../scripts/lib/ensure-built.ts';

/** Runs once before the tests that start the server as `npm start` does: builds it if it is stale. */
export async function setup(): Promise<void> {
  if (!(await ensureBuilt(['server']))) throw new Error('Could not build the server; see above.');
}
