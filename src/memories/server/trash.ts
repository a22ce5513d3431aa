import { displayNames } from '../../auth/server/user-store.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { formatInstant } from '../../base/instants.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { Answer } from '../../base/server/calls/answer.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { lockDate } from '../../dates/server/date-store.ts';
import { eraseDate, findTrashTime, restoreDate } from '../../dates/server/date-trash-store.ts';
import { readDate } from '../../dates/server/views.ts';
import { onlyPlanner, readVisibility, refuseHidden } from '../../dates/server/visibility-store.ts';
import { trashedDates } from '../../dates/server/visible-dates.ts';
import type { Memory, Trashed } from '../contract.ts';
import { memoryLimits } from '../rules.ts';
import { type FileRemover, leaveToSweepOnError, removeFiles } from './file-remover.ts';
import { memoriesPort } from './memories-port.ts';
import { addPendingFiles } from './pending-file-store.ts';
import { findTwin, type MemoryRow } from './store.ts';
import { stemOf } from './stored-names.ts';
import { toMemory } from './to-memory.ts';
import {
  countsInTrash,
  eraseMemoriesOf,
  eraseMemory,
  findTrashedMemory,
  restoreMemoriesOf,
  takeFromTrash,
  trashedMemories,
} from './trash-store.ts';
import { updateHappenedAt } from './update-happened-at.ts';

/** What was deleted at this instant or before has expired, even if the sweep has not removed it yet. */
export function expiredBy(now: number): number {
  return now - memoryLimits.trashMs;
}

/** The trash, latest first (memories.trash.1): deleted memories, and deleted dates with their memories. */
export async function listTrash(reader: Reader, viewer: Viewer, now: number): Promise<Trashed[]> {
  const { coupleId } = viewer;
  const since = expiredBy(now);
  const [memories, dates, counts, names] = await Promise.all([
    trashedMemories(reader, coupleId, since),
    trashedDates(reader, viewer, now),
    countsInTrash(reader, coupleId),
    displayNames(reader, coupleId),
  ]);
  const { hiddenDates } = await readVisibility(reader, viewer, now);
  const entry = (thing: Deleted, kind: Trashed['kind'], title: string, memoryCount: number): Trashed => ({
    id: thing.id,
    kind,
    title,
    deletedAt: formatInstant(thing.deletedAt),
    deletedBy: { id: thing.deletedBy, displayName: names.get(thing.deletedBy) ?? 'a partner who left' },
    expiresAt: formatInstant(thing.deletedAt + memoryLimits.trashMs),
    memoryCount,
  });
  const entries = [
    ...memories
      .filter(({ dateId }) => !hiddenDates.includes(dateId))
      .map((memory) => entry(memory, 'memory', memory.caption ?? memory.originalFileName, 1)),
    ...dates
      .filter((date) => date.deletedAt > since)
      .map((date) => entry(date, 'plannedDate', date.title, date.isHidden ? 0 : (counts.get(date.id) ?? 0))),
  ];
  const key = (thing: Trashed) => `${thing.deletedAt} ${thing.id}`;
  return entries.sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

interface Deleted {
  readonly id: string;
  readonly deletedAt: number;
  readonly deletedBy: UserId;
}

/**
 * Restores a memory or a date from the trash, and announces it as created.
 * @throws Refusal 404 if it is not there; 409 if the date is hidden from the partner, if a memory's date is in the trash,
 *   or if the date has the same bytes again
 */
export async function restoreEntry(
  { db, announce }: Deps,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<Answer<Memory> | Answer<PlannedDate>> {
  const { coupleId, userId: by } = viewer;
  const since = expiredBy(now);
  return db.write(async (tx) => {
    const memory = await findTrashedMemory(tx, coupleId, { id, since });
    if (memory) {
      await assertVisible(tx, viewer, memory, now);
      const answer = await restoreMemory(tx, coupleId, memory, since);
      const only = await onlyPlanner(tx, coupleId, memory.dateId, now);
      await announce(tx, coupleId, { entity: 'memory', id, action: 'created', by }, only);
      return answer;
    }
    await assertTrashedDate(tx, coupleId, id, since);
    await refuseHidden(tx, viewer, id, now);
    if (!(await restoreDate(tx, coupleId, id))) throw notFound('This');
    await restoreMemoriesOf(tx, coupleId, id);
    await announce(tx, coupleId, { entity: 'plannedDate', id, action: 'created', by });
    const restored = await readDate(tx, memoriesPort, viewer, { id, now });
    if (!restored) throw notFound('This');
    return new Answer(restored.date, { headers: { etag: restored.etag } });
  });
}

/** @throws Refusal 404 if the memory's date is hidden from the partner */
async function assertVisible(reader: Reader, viewer: Viewer, { dateId }: MemoryRow, now: number): Promise<void> {
  const { hiddenDates } = await readVisibility(reader, viewer, now);
  if (hiddenDates.includes(dateId)) throw notFound('This');
}

async function restoreMemory(
  tx: Writer,
  coupleId: CoupleId,
  memory: MemoryRow,
  since: number,
): Promise<Answer<Memory>> {
  const date = await lockDate(tx, coupleId, memory.dateId);
  // While this waited for the date's lock, the partner may have restored or permanently deleted it.
  if (!(await findTrashedMemory(tx, coupleId, { id: memory.id, since }))) throw notFound('This');
  if (!date) throw new Refusal(409, 'The date of this memory is deleted too. Put the date back first.');
  if (await findTwin(tx, coupleId, memory))
    throw new Refusal(409, 'The same photograph is already in this date again.');
  if (!(await takeFromTrash(tx, coupleId, memory.id))) throw notFound('This');
  return new Answer(toMemory(await updateHappenedAt(tx, memory, date)));
}

async function assertTrashedDate(reader: Reader, coupleId: CoupleId, id: string, since: number): Promise<void> {
  const deletedAt = await findTrashTime(reader, coupleId, id);
  if (deletedAt === undefined || deletedAt <= since) throw notFound('This');
}

/**
 * Permanently deletes a memory or a date from the trash for a partner. Its files are removed in the background: a date may
 * have thousands, and each takes several requests to the store.
 * @throws Refusal 404 if it is not there; 409 if the date is hidden from the partner
 */
export async function erase(
  deps: Deps,
  fileRemover: FileRemover,
  viewer: Viewer,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  const { coupleId, userId: by } = viewer;
  const stems = await eraseEntry(deps, coupleId, id, async (tx) => {
    const memory = await findTrashedMemory(tx, coupleId, { id, since: 0 });
    if (memory) await assertVisible(tx, viewer, memory, now);
    else {
      await assertTrashedDate(tx, coupleId, id, Number.NEGATIVE_INFINITY);
      await refuseHidden(tx, viewer, id, now);
    }
    const only = memory && (await onlyPlanner(tx, coupleId, memory.dateId, now));
    return (entity) => deps.announce(tx, coupleId, { entity, id, action: 'deleted', by }, only);
  });
  fileRemover.remove(coupleId, stems);
}

/**
 * Permanently deletes an entry of the trash and its files, without a live event.
 * @throws Refusal 404 if it is not there
 */
export async function eraseSilently(deps: Deps, coupleId: CoupleId, id: string): Promise<void> {
  const stems = await eraseEntry(deps, coupleId, id, async () => async () => undefined);
  await leaveToSweepOnError(deps, async () => {
    for (const stem of stems) await removeFiles(deps, coupleId, stem);
  });
}

/**
 * Deletes the rows of an entry, and records each photo's files as pending in the same transaction. If the server dies
 * before they are removed, or the store fails, the sweep finds the files by these records.
 * @param prepare runs before the rows are deleted, and returns what announces it
 * @returns the stems of the files to remove
 */
function eraseEntry(
  deps: Deps,
  coupleId: CoupleId,
  id: string,
  prepare: (tx: Writer) => Promise<(entity: 'memory' | 'plannedDate') => Promise<void>>,
): Promise<readonly string[]> {
  return deps.db.write(async (tx) => {
    const announceErased = await prepare(tx);
    const { entity, stems } = await eraseRows(tx, coupleId, id);
    await addPendingFiles(tx, coupleId, { stems, now: deps.now() });
    await announceErased(entity);
    return stems;
  });
}

async function eraseRows(
  tx: Writer,
  coupleId: CoupleId,
  id: string,
): Promise<{ entity: 'memory' | 'plannedDate'; stems: string[] }> {
  const fileName = await eraseMemory(tx, coupleId, id);
  if (fileName !== undefined) return { entity: 'memory', stems: [stemOf(fileName)] };
  await assertTrashedDate(tx, coupleId, id, Number.NEGATIVE_INFINITY);
  const fileNames = await eraseMemoriesOf(tx, coupleId, id);
  if (!(await eraseDate(tx, coupleId, id))) throw notFound('This');
  return { entity: 'plannedDate', stems: fileNames.map(stemOf) };
}
