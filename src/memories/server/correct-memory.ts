import { invalidField, notFound, Refusal } from '../../base/refusal.ts';
import { memorySearchText } from '../../base/search-text.ts';
import { type Answer, etagOf, tagged } from '../../base/server/calls/answer.ts';
import { assertIfMatch } from '../../base/server/calls/if-match.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { isAllowed, REFUSED } from '../../dates/rules.ts';
import { type DateRow, lockDate } from '../../dates/server/date-store.ts';
import { readSealed, refuseHidden } from '../../dates/server/visibility-store.ts';
import { isCaptureTime } from '../capture-time.ts';
import type { Memory } from '../contract.ts';
import { TAKEN_OUT_OF_RANGE } from '../edit-form.ts';
import { happenedAt, takenAtOf } from '../happened-at.ts';
import { findMemory, findTwin, lockMemory, type MemoryRow, updateMemory } from './store.ts';
import { toMemory } from './to-memory.ts';

/** What a request corrects. What is undefined stays. */
interface Correction {
  readonly caption?: string | null | undefined;
  readonly plannedDateId?: string | null | undefined;
  /** Milliseconds; null for the capture time of the file. */
  readonly takenAt?: number | null | undefined;
}

interface CorrectionRequest {
  readonly params: { readonly id: string };
  readonly session: Session;
  readonly now: number;
  readonly ifMatch: string | undefined;
  readonly body: Correction;
}

/**
 * Corrects a memory: its caption, its date, and when it was taken (memories.edit.1).
 * @throws Refusal 404, 400, 409 and 412, in this order
 */
export function correctMemory(
  { db, announce }: Deps,
  { params: { id }, session, now, ifMatch, body }: CorrectionRequest,
): Promise<Answer<Memory>> {
  if (body.takenAt && !isCaptureTime(body.takenAt, now)) {
    throw invalidField('takenAt', TAKEN_OUT_OF_RANGE);
  }
  const { coupleId, userId: by } = session;
  return db.write(async (tx) => {
    const { memory, date, target } = await lockForCorrection(tx, session, { id, to: body.plannedDateId || null, now });
    const sealed = await readSealed(tx, coupleId, now);
    if (target.id !== date.id) await assertTakes(tx, session, { memory, target, sealed, now });
    assertIfMatch(ifMatch, memory);
    const corrected = withCorrection(memory, body, target);
    if (corrected === memory) return tagged(toMemory(memory), etagOf(memory));
    const saved = { ...corrected, version: memory.version + 1, updatedAt: now };
    await updateMemory(tx, saved);
    const change = { entity: 'memory', id, by } as const;
    // A memory of a surprise is known to its planner alone, and new to the partner once it is moved out.
    const isSecret = sealed.includes(date.id);
    await announce(tx, coupleId, { ...change, action: 'updated' }, isSecret ? by : undefined);
    if (isSecret && target.id !== date.id) {
      const partner = await partnerOf(tx, session);
      if (partner !== undefined) await announce(tx, coupleId, { ...change, action: 'created' }, partner);
    }
    return tagged(toMemory(saved), etagOf(saved));
  });
}

/** A memory with its date and the one that it shall have, all of them locked. */
interface Locked {
  readonly memory: MemoryRow;
  readonly date: DateRow;
  readonly target: DateRow;
}

/** @throws Refusal 404 if the memory isn't there, or the partner may not see it */
async function lockForCorrection(
  tx: Writer,
  session: Session,
  { id, to, now }: { readonly id: string; readonly to: string | null; readonly now: number },
): Promise<Locked> {
  const { coupleId } = session;
  const found = await findMemory(tx, session, id, now);
  if (!found) throw notFound('Memory');
  // In a fixed order, so that two moves between the same dates don't wait for each other.
  const dates = new Map<string, DateRow>();
  for (const dateId of [...new Set([found.dateId, to ?? found.dateId])].sort()) {
    const date = await lockDate(tx, coupleId, dateId);
    if (!date) throw notFound(dateId === to ? 'Planned date' : 'Memory');
    dates.set(dateId, date);
  }
  const memory = await lockMemory(tx, coupleId, id);
  if (!memory) throw notFound('Memory');
  const [date, target] = [dates.get(memory.dateId), dates.get(to ?? memory.dateId)];
  if (date && target) return { memory, date, target };
  // The partner has just moved it to another date.
  return lockForCorrection(tx, session, { id, to, now });
}

/** @throws Refusal 409 if the date takes no memories, is a surprise, or has the same photograph */
async function assertTakes(
  tx: Writer,
  session: Session,
  {
    memory,
    target,
    sealed,
    now,
  }: { readonly memory: MemoryRow; readonly target: DateRow; readonly sealed: readonly string[]; readonly now: number },
): Promise<void> {
  await refuseHidden(tx, session, target.id, now);
  if (sealed.includes(target.id))
    throw new Refusal(409, 'This date is still a surprise. No memory can be moved to it.');
  if (!isAllowed(target.status, 'addMemories')) throw new Refusal(409, REFUSED.addMemories);
  const twin = await findTwin(tx, session.coupleId, { dateId: target.id, sha256: memory.sha256 });
  if (twin) throw new Refusal(409, 'This photograph is already there.');
}

/** The memory as it is corrected; the same one if nothing changes. */
function withCorrection(memory: MemoryRow, { caption, takenAt }: Correction, target: DateRow): MemoryRow {
  const isOwnTime = takenAt === null || takenAt === takenAtOf({ ...memory, correctedTakenAt: null });
  const corrected = {
    ...memory,
    dateId: target.id,
    caption: caption === undefined ? memory.caption : caption,
    correctedTakenAt: takenAt === undefined ? memory.correctedTakenAt : isOwnTime ? null : takenAt,
  };
  const fields = ['dateId', 'caption', 'correctedTakenAt'] as const;
  if (fields.every((field) => corrected[field] === memory[field])) return memory;
  return { ...corrected, searchText: memorySearchText(corrected), happenedAt: happenedAt(corrected, target) };
}

async function partnerOf(tx: Writer, { coupleId, userId }: Session) {
  const partner = await tx
    .selectFrom('users')
    .select('id')
    .where('coupleId', '=', coupleId)
    .where('id', '<>', userId)
    .executeTakeFirst();
  return partner?.id;
}
