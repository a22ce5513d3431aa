import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { adoptStore } from '../../../base/server/store-identity.ts';
import { type StoreScan, strayLimits } from '../../stray-rules.ts';
import { nameOf, partsOf, stemOf } from '../names.ts';
import {
  confirmAll,
  countStrays,
  deleteStray,
  deleteUnseenStrays,
  dueStrays,
  isErased,
  markStraysSeen,
  neededStems,
  recordStrays,
} from './stray-store.ts';
import { clearRefusal, saveScan } from './sweep-state.ts';

type Sweeper = Pick<Deps, 'db' | 'files' | 'now'>;

const BATCH = 500;
/** Files of every age are recorded, also one that a store's clock puts into the future. */
export const ANY_AGE = Number.NEGATIVE_INFINITY;

/**
 * Looks through the whole photo store for files that no row knows, and records when each was first found. Deletes
 * nothing. What it did not see as a stray is forgotten only when the list came to its end: a store that breaks off in
 * the middle changes nothing.
 * @param minAgeMs files that are younger are not recorded yet
 * @param mayContinue whether this node may go on
 * @returns null where it had to end before the list did
 */
export async function scanStore(
  deps: Sweeper,
  minAgeMs: number,
  mayContinue: () => boolean,
): Promise<StoreScan | null> {
  const { db, files, now } = deps;
  const scannedAt = now();
  let count = 0;
  for await (const { coupleId, fileNames } of byCouple(files.list())) {
    if (!mayContinue()) return null;
    count += fileNames.length;
    await recordStraysOf(deps, coupleId, fileNames, { scannedAt, minAgeMs });
  }
  await db.write((tx) => deleteUnseenStrays(tx, scannedAt));
  return { files: count, ...(await countStrays(db.read)) };
}

/** The names of a list, in batches of one couple each. */
async function* byCouple(
  names: AsyncIterable<string>,
): AsyncGenerator<{ readonly coupleId: CoupleId; readonly fileNames: string[] }> {
  let batch: { readonly coupleId: CoupleId; readonly fileNames: string[] } | null = null;
  for await (const name of names) {
    const { coupleId, fileName } = partsOf(name);
    if (batch !== null && (batch.coupleId !== coupleId || batch.fileNames.length === BATCH)) {
      yield batch;
      batch = null;
    }
    batch ??= { coupleId, fileNames: [] };
    batch.fileNames.push(fileName);
  }
  if (batch !== null) yield batch;
}

async function recordStraysOf(
  deps: Sweeper,
  coupleId: CoupleId,
  fileNames: readonly string[],
  { scannedAt, minAgeMs }: { readonly scannedAt: number; readonly minAgeMs: number },
): Promise<void> {
  const { db } = deps;
  const strays = await findStrays(deps, coupleId, fileNames);
  if (strays.length === 0) return;
  const recorded = await db.write((tx) => markStraysSeen(tx, coupleId, strays, scannedAt));
  const found: Parameters<typeof recordStrays>[2][number][] = [];
  for (const fileName of strays) {
    if (recorded.has(fileName)) continue;
    const storedAt = await storedAtOf(deps, coupleId, fileName);
    // It may have been removed since it was listed; one that is young may still get its row.
    if (storedAt === null || scannedAt - storedAt <= minAgeMs) continue;
    found.push({ fileName, foundAt: scannedAt, storedAt, seenAt: scannedAt, confirmedAt: null });
  }
  if (found.length > 0) await db.write((tx) => recordStrays(tx, coupleId, found));
}

/** Those of a couple's files that no row needs. Files of a space that is being deleted are no strays. */
async function findStrays({ db }: Sweeper, coupleId: CoupleId, fileNames: readonly string[]): Promise<string[]> {
  const needed = await neededStems(db.read, coupleId, [...new Set(fileNames.map(stemOf))]);
  const strays = fileNames.filter((fileName) => !needed.has(stemOf(fileName)));
  return strays.length > 0 && (await isErased(db.read, coupleId)) ? [] : strays;
}

/** In whole milliseconds: a disk tells fractions, which the database does not keep. */
async function storedAtOf({ files }: Sweeper, coupleId: CoupleId, fileName: string): Promise<number | null> {
  const storedAt = await files.storedAt(nameOf(coupleId, fileName));
  return storedAt === null ? null : Math.floor(storedAt);
}

/**
 * Deletes the strays that were found thirty days ago. Each is judged again: one that has a row by now, or was stored
 * again, is none. Only our own clock counts; what the store says is compared with what it said before.
 * @param mayContinue whether this node may go on
 */
export async function removeDueStrays(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const until = now() - strayLimits.graceMs;
  let after: Parameters<typeof dueStrays>[2] = null;
  for (;;) {
    const due = await dueStrays(db.read, until, after, BATCH);
    for (const [coupleId, strays] of Map.groupBy(due, (stray) => stray.coupleId)) {
      const names = strays.map(({ fileName }) => fileName);
      const still = new Set(await findStrays(deps, coupleId, names));
      for (const { fileName, storedAt } of strays) {
        if (!mayContinue()) return;
        if (still.has(fileName) && (await storedAtOf(deps, coupleId, fileName)) === storedAt) {
          const name = nameOf(coupleId, fileName);
          deps.log.warn({ name }, 'a file that has belonged to no memory for thirty days is deleted');
          await deps.files.remove(name);
        }
        await db.write((tx) => deleteStray(tx, coupleId, fileName));
      }
    }
    if (due.length < BATCH) return;
    after = due.at(-1) ?? null;
  }
}

/**
 * What an operator does about a sweep that is stopped: the store belongs to this database from now on, and what is a
 * stray now is deleted thirty days from now. Strays that are found later stop the sweep again.
 * @param found what a look just found
 */
export async function confirmStrays(deps: Sweeper, found: StoreScan): Promise<void> {
  const { db, now } = deps;
  await adoptStore(deps, now());
  const look = { ...found, unconfirmed: 0, unknownCouples: 0 };
  await db.write(async (tx) => {
    await confirmAll(tx, now());
    await saveScan(tx, now(), { look, stopped: null });
    await clearRefusal(tx, now(), { ofAnyNode: true });
  });
}
