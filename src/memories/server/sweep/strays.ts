import { isErased, postponeDeletions } from '../../../auth/server/couple/deletion-store.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { attempt } from '../../../base/server/attempt.ts';
import { dueBatches } from '../../../base/server/db/batches.ts';
import type { StraysTable } from '../../../base/server/db/tables.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { adoptStore } from '../../../base/server/store-identity.ts';
import { type StoreScan, strayLimits } from '../../stray-rules.ts';
import { nameOf, partsOf, stemOf } from '../names.ts';
import { restartTrash } from '../trash-store.ts';
import {
  confirmAll,
  countStrays,
  deleteStray,
  deleteStraysOf,
  deleteUnseenStrays,
  dueStrays,
  markStraysSeen,
  neededStems,
  recordStrays,
} from './stray-store.ts';
import { clearRefusal, saveScan } from './sweep-state.ts';

type SweepDeps = Pick<Deps, 'db' | 'files' | 'now'>;

/** Files per query. Both engines accept about 32,000 values in one statement. */
const BATCH = 500;
/** A `minAgeMs` that includes files of every age, even one that the store's clock puts in the future. */
export const ANY_AGE = Number.NEGATIVE_INFINITY;

/**
 * Scans the whole photo store for files without a row (strays), and records when each was first found. It deletes no file.
 * Records of files that are no longer strays are deleted only after a complete scan, so a store that fails halfway
 * changes nothing.
 * @param minAgeMs younger files are not recorded yet
 * @param mayContinue whether this node may continue
 * @returns null if it had to stop before the end
 */
export async function scanStore(
  deps: SweepDeps,
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

/** Groups the names into batches of one couple each. */
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
  deps: SweepDeps,
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

/** The files that no row needs. Files of a space that is being deleted are not strays. */
async function findStrays({ db }: SweepDeps, coupleId: CoupleId, fileNames: readonly string[]): Promise<string[]> {
  const needed = await neededStems(db.read, coupleId, [...new Set(fileNames.map(stemOf))]);
  const strays = fileNames.filter((fileName) => !needed.has(stemOf(fileName)));
  return strays.length > 0 && (await isErased(db.read, coupleId)) ? [] : strays;
}

/** In whole milliseconds: a disk reports fractions, which the database does not store. */
async function storedAtOf({ files }: SweepDeps, coupleId: CoupleId, fileName: string): Promise<number | null> {
  const storedAt = await files.storedAt(nameOf(coupleId, fileName));
  return storedAt === null ? null : Math.floor(storedAt);
}

/**
 * Deletes the strays that were found thirty days ago. It checks each one again, and keeps it if it has a row by now, was
 * stored again, or was taken by an import. Ages come from our own clock only; the store's times are only compared with its
 * earlier ones.
 * @param mayContinue whether this node may continue
 */
export async function removeDueStrays(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const until = now() - strayLimits.graceMs;
  for await (const due of dueBatches<StraysTable>((...page) => dueStrays(db.read, until, ...page))) {
    for (const [coupleId, strays] of Map.groupBy(due, (stray) => stray.coupleId)) {
      const names = strays.map(({ fileName }) => fileName);
      const strayNames = new Set(await findStrays(deps, coupleId, names));
      for (const { fileName, storedAt } of strays) {
        if (!mayContinue()) return;
        const whenItFails = 'a file that has belonged to no memory for thirty days was not deleted';
        await attempt(deps, coupleId, whenItFails, async () => {
          const isStray = strayNames.has(fileName) && (await storedAtOf(deps, coupleId, fileName)) === storedAt;
          // Before its file, so that an import which deletes the record first keeps it.
          const isRecorded = await db.write((tx) => deleteStray(tx, coupleId, fileName));
          if (!isStray || !isRecorded) return;
          const name = nameOf(coupleId, fileName);
          deps.log.warn({ name }, 'a file that has belonged to no memory for thirty days is deleted');
          await deps.files.remove(name);
        });
      }
    }
  }
}

/** Takes a couple's strays, so that an import may use them: none is deleted before another thirty days. */
export async function takeStrays({ db }: Pick<Deps, 'db'>, coupleId: CoupleId): Promise<void> {
  await db.write((tx) => deleteStraysOf(tx, coupleId));
}

/**
 * Resumes a stopped sweep for an operator: from now on the store belongs to this database, and the current strays are
 * deleted in thirty days. The trash, and the notice of spaces to be deleted, start again: an older database may hold
 * what was restored or withdrawn later. Strays found later can stop the sweep again.
 * @param found the scan that was just made
 */
export async function confirmStrays(deps: SweepDeps, found: StoreScan): Promise<void> {
  const { db, now } = deps;
  // First, because the next sweep of a running server may follow at once.
  await db.write(async (tx) => {
    await restartTrash(tx, null, now());
    await postponeDeletions(tx, now());
  });
  await adoptStore(deps, now());
  const look = { ...found, unconfirmed: 0, unknownCouples: 0 };
  await db.write(async (tx) => {
    await confirmAll(tx, now());
    await saveScan(tx, now(), { look, stopped: null });
    await clearRefusal(tx, now(), { ofAnyNode: true });
  });
}
