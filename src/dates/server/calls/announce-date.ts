import type { UserId } from '../../../base/ids.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { DateDeps } from './date-deps.ts';

/** Announces a change of a date to both partners, or to `only` one. */
export async function announceDate(
  { announce }: Pick<DateDeps, 'announce'>,
  tx: Writer,
  action: 'created' | 'updated' | 'deleted',
  id: string,
  { coupleId, userId, only }: Session & { readonly only?: UserId | undefined },
): Promise<void> {
  await announce(tx, coupleId, { entity: 'plannedDate', id, action, by: userId }, only);
}
