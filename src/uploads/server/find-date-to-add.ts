import { isId } from '../../base/ids.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { VisibleDate } from '../../dates/date-visible-to.ts';
import { type DateStatus, isAllowed, REFUSED } from '../../dates/rules.ts';
import { refuseHidden } from '../../dates/server/visibility-store.ts';
import { findDate } from '../../dates/server/visible-dates.ts';

/**
 * Finds a date to add memories to.
 * @throws Refusal 404 without it; 409 if it is hidden from the partner
 */
export async function findDateToAdd({ db, now }: Deps, viewer: Viewer, id: string): Promise<VisibleDate> {
  const at = now();
  const date = isId(id) ? await findDate(db.read, viewer, id, at) : undefined;
  if (!date) throw notFound('Planned date');
  if (date.isHidden) await refuseHidden(db.read, viewer, id, at);
  return date;
}

/** @throws Refusal 409 if no memories can be added to a date in this status */
export function assertTakesMemories(status: DateStatus): void {
  if (!isAllowed(status, 'addMemories')) throw new Refusal(409, REFUSED.addMemories);
}
