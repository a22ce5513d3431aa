import type { CoupleId, UserId } from '../../../base/ids.ts';
import { notFound } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import type { ideaCalls } from '../../contract.ts';
import type { PlanCounts } from '../plan-counts.ts';
import { findIdea, type IdeaRow, lockIdea } from '../store.ts';

/** What the calls of ideas use. */
export interface IdeaDeps extends Pick<Deps, 'db' | 'announce' | 'randomInt'> {
  readonly plans: PlanCounts;
}

export type IdeaRoutes = Routes<typeof ideaCalls>;

/** Finds an idea that is not deleted. @throws Refusal 404 */
export async function requireIdea(reader: Reader, coupleId: CoupleId, id: string): Promise<IdeaRow> {
  const row = await findIdea(reader, coupleId, id);
  if (!row) throw notFound('Date idea');
  return row;
}

/** Reads an idea and locks it until the transaction ends. @throws Refusal 404 */
export async function requireLockedIdea(tx: Writer, coupleId: CoupleId, id: string): Promise<IdeaRow> {
  const row = await lockIdea(tx, coupleId, id);
  if (!row) throw notFound('Date idea');
  return row;
}

/** Announces a change of an idea to both partners, or to `only` one. */
export async function announceIdea(
  { announce }: Pick<IdeaDeps, 'announce'>,
  tx: Writer,
  action: 'created' | 'updated' | 'deleted',
  id: string,
  { coupleId, userId }: Viewer,
  only?: UserId,
): Promise<void> {
  await announce(tx, coupleId, { entity: 'dateIdea', id, action, by: userId }, only);
}
