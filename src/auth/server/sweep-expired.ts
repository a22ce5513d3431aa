import { HOUR } from '../../base/durations.ts';
import type { Deps } from '../../base/server/deps.ts';

/**
 * Deletes what has expired of the challenges, of the visits to an OpenID provider, and of the counted attempts: a step of
 * the sweep.
 */
export async function sweepExpired({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const at = now();
  for (const table of ['challenges', 'oidcStarts', 'oidcArrivals'] as const) {
    await db.write((tx) => tx.deleteFrom(table).where('expiresAt', '<=', at).execute());
  }
  // Some events are counted for an hour, which is longer than their row says.
  await db.write((tx) =>
    tx
      .deleteFrom('tries')
      .where('expire', '<', at - HOUR)
      .execute(),
  );
}
