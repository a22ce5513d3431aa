import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import type { DamagedFilesTable } from '../../../base/server/db/tables/tables.ts';
import type { Visibility } from '../../../base/server/visibility.ts';

/** A photograph to scrub. */
export interface ScrubTarget {
  readonly coupleId: CoupleId;
  readonly id: string;
  readonly fileName: string;
  readonly fileSizeBytes: number;
  readonly sha256: string;
}

/** The scrub's position in the photographs of all couples. */
export type ScrubPosition = Pick<ScrubTarget, 'coupleId' | 'id'>;

/** Reads the next photographs after a position, of all couples. For the scrub only. */
export function nextToScrub(reader: Reader, after: ScrubPosition | null, limit: number): Promise<ScrubTarget[]> {
  const all = reader.selectFrom('memories').select(['coupleId', 'id', 'fileName', 'fileSizeBytes', 'sha256']);
  return inOrderAfter(all, ['coupleId', 'id'], after && [after.coupleId, after.id])
    .limit(limit)
    .execute();
}

/** Counts all photographs on this server, the trash included. */
export async function countPhotographs(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether a memory still exists, possibly in the trash. */
export async function hasMemory(reader: Reader, coupleId: CoupleId, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('memories')
    .select('id')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a damaged photograph. One that is already recorded keeps the time of its first finding. */
export async function recordDamagedFile(
  tx: Writer,
  coupleId: CoupleId,
  damage: Omit<DamagedFilesTable, 'coupleId'>,
): Promise<void> {
  await tx
    .insertInto('damagedFiles')
    .values({ coupleId, ...damage })
    .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doUpdateSet({ kind: damage.kind }))
    .execute();
}

/** Deletes the record of a damaged file. */
export async function forgetDamagedFile(tx: Writer, coupleId: CoupleId, fileName: string): Promise<void> {
  await tx.deleteFrom('damagedFiles').where('coupleId', '=', coupleId).where('fileName', '=', fileName).execute();
}

/** The damaged photographs of all couples that aren't in the trash. One that is deleted for good counts no more. */
function damagedMemories(reader: Reader) {
  return reader
    .selectFrom('damagedFiles')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.coupleId', '=', 'damagedFiles.coupleId')
        .onRef('memories.fileName', '=', 'damagedFiles.fileName'),
    )
    .where('memories.deletedAt', 'is', null)
    .where('memories.dateDeletedAt', 'is', null);
}

/** Counts the damaged photographs on this server that aren't in the trash. */
export async function countDamagedFiles(reader: Reader): Promise<number> {
  const { count } = await damagedMemories(reader)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Reads the damaged photographs that a partner may see and that aren't in the trash, oldest finding first. */
export function damagedFilesOf(reader: Reader, { coupleId, hiddenDates }: Visibility) {
  return damagedMemories(reader)
    .select(['memories.id', 'memories.dateId', 'memories.caption', 'memories.originalFileName'])
    .select(['damagedFiles.kind', 'damagedFiles.foundAt'])
    .where('damagedFiles.coupleId', '=', coupleId)
    .$if(hiddenDates.length > 0, (query) => query.where('memories.dateId', 'not in', hiddenDates))
    .orderBy('damagedFiles.foundAt')
    .orderBy('memories.id')
    .execute();
}
