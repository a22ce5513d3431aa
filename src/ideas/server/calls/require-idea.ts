import type { CoupleId } from '../../../base/ids.ts';
import { notFound } from '../../../base/refusal.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { findIdea, type IdeaRow, lockIdea } from '../store.ts';

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
