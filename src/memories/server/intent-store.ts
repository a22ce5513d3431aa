import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

/**
 * Intents: the stems of photographs whose files are about to be stored, or to be removed. A row is written before, and
 * goes in the transaction that says how it ended; where a server dies between, the row leads the sweep to the files.
 */
export async function openIntents(
  tx: Writer,
  coupleId: CoupleId,
  { stems, now }: { stems: readonly string[]; now: number },
): Promise<void> {
  if (stems.length === 0) return;
  await tx
    .insertInto('intents')
    .values(stems.map((fileName) => ({ coupleId, fileName, createdAt: now })))
    .execute();
}

export async function closeIntent(tx: Writer, coupleId: CoupleId, stem: string): Promise<void> {
  await tx.deleteFrom('intents').where('coupleId', '=', coupleId).where('fileName', '=', stem).execute();
}

/** A couple's open intents, oldest first. */
export async function listIntents(reader: Reader, coupleId: CoupleId): Promise<{ stem: string; createdAt: number }[]> {
  const rows = await reader
    .selectFrom('intents')
    .select(['fileName as stem', 'createdAt'])
    .where('coupleId', '=', coupleId)
    .orderBy('createdAt')
    .execute();
  return rows;
}

/** Which of these file names belong to a memory: shown, or in the trash. */
export async function knownFileNames(
  reader: Reader,
  coupleId: CoupleId,
  fileNames: readonly string[],
): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('memories')
    .select('fileName')
    .where('coupleId', '=', coupleId)
    .where('fileName', 'in', fileNames)
    .execute();
  return new Set(rows.map((row) => row.fileName));
}

/** Every couple there is: whose files a sweep looks through. */
export async function allCouples(reader: Reader): Promise<CoupleId[]> {
  return (await reader.selectFrom('couples').select('id').execute()).map((row) => row.id);
}
