import type { Change } from '../../base/change.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';

/** Announces that names, dates or partners of the couple have changed, so that open pages refetch them. */
export function announceCouple(
  { announce }: Pick<Deps, 'announce'>,
  tx: Writer,
  coupleId: CoupleId,
  by: UserId,
  action: 'updated' | 'deleted' = 'updated',
): Promise<void> {
  return announce(tx, coupleId, { entity: 'couple', id: coupleId, action, by } satisfies Change);
}
