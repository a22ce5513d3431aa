import { lockCouple } from '../../auth/server/couple/couple-store.ts';
import { assertSignedIn } from '../../auth/server/session/sessions.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { Answer, created } from '../../base/server/calls/answer.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { lockDate } from '../../dates/server/date-store.ts';
import { onlyPlanner, refuseHidden } from '../../dates/server/visibility-store.ts';
import type { Memory } from '../../memories/contract.ts';
import { happenedAt } from '../../memories/happened-at.ts';
import { removeOwnPendingFile } from '../../memories/server/pending-file-store.ts';
import { findTwin, insertMemory } from '../../memories/server/store.ts';
import { toMemory } from '../../memories/server/to-memory.ts';
import type { PhotoUpload } from './check-upload-form.ts';
import { assertTakesMemories } from './find-date-to-add.ts';
import type { StoredPhoto } from './store-photo-files.ts';
import { takeRoom } from './take-room.ts';

/**
 * Writes the memory of a stored photo. It checks the session again, because a photo may arrive long after its request was
 * authenticated. It locks the date, so that no one deletes or cancels it or adds the same bytes at the same time.
 */
export async function writeMemory(
  deps: Deps,
  tx: Writer,
  session: Session,
  { dateId, file }: PhotoUpload,
  stored: StoredPhoto | null,
): Promise<Answer<Memory>> {
  const { coupleId, userId } = session;
  // First, as everything that changes who belongs to the couple does, so that none waits for the other.
  await lockCouple(tx, coupleId);
  await assertSignedIn(tx, session);
  const date = await lockDate(tx, coupleId, dateId);
  if (!date) throw notFound('Planned date');
  await refuseHidden(tx, session, dateId, deps.now());
  const twin = await findTwin(tx, coupleId, { dateId, sha256: file.sha256 });
  if (twin) return new Answer(toMemory(twin), { status: 200 });
  assertTakesMemories(date.status);
  // The twin that made storing unnecessary was deleted since.
  if (stored === null) throw new Refusal(503, 'This photograph was just deleted. Please try again.', { retryAfter: 1 });
  const { row, stem, pendingSince } = stored;
  // While this node was paused, a sweep may have removed the files as those of an interrupted upload.
  if (!(await removeOwnPendingFile(tx, coupleId, { stem, createdAt: pendingSince }))) throw swept();
  const placed = { ...row, happenedAt: happenedAt(row, date) };
  await takeRoom(deps, tx, session, row.fileSizeBytes);
  await insertMemory(tx, placed);
  const only = await onlyPlanner(tx, coupleId, dateId, row.uploadedAt);
  await deps.announce(tx, coupleId, { entity: 'memory', id: row.id, action: 'created', by: userId }, only);
  deps.crashPoint('row written');
  return created(toMemory(placed), `/api/Memories/${row.id}`);
}

function swept(): Refusal {
  return new Refusal(503, 'The upload took too long. Nothing was saved; please try again.', { retryAfter: 1 });
}
