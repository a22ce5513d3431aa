import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { DamagedFilesTable } from '../../../base/server/db/tables.ts';

/** What a scrub has to know of a photograph. */
export interface ScrubTarget {
  readonly coupleId: CoupleId;
  readonly id: string;
  readonly fileName: string;
  readonly fileSizeBytes: number;
  readonly sha256: string;
}

/** Where a scrub has come to, over all couples. */
export type ScrubPosition = Pick<ScrubTarget, 'coupleId' | 'id'>;

/** The next photographs after a position, of every couple: for the scrub alone. */
export function nextToScrub(reader: Reader, after: ScrubPosition | null, limit: number): Promise<ScrubTarget[]> {
  let query = reader.selectFrom('memories').select(['coupleId', 'id', 'fileName', 'fileSizeBytes', 'sha256']);
  if (after !== null) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('coupleId', 'id'), '>', tuple(after.coupleId, after.id)),
    );
  }
  return query.orderBy('coupleId').orderBy('id').limit(limit).execute();
}

/** How many photographs there are on this server, those in the trash too. */
export async function countPhotographs(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether a photograph still belongs to a memory, shown or in the trash. */
export async function memoryExists(reader: Reader, coupleId: CoupleId, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('memories')
    .select('id')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers that a photograph is damaged; one that was found before keeps the day on which it was. */
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

/** It is as it was uploaded, or is no more. */
export async function forgetDamagedFile(tx: Writer, coupleId: CoupleId, fileName: string): Promise<void> {
  await tx.deleteFrom('damagedFiles').where('coupleId', '=', coupleId).where('fileName', '=', fileName).execute();
}

/** A couple's damaged photographs that are not in the trash, first found first. */
export function damagedFilesOf(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('damagedFiles')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.coupleId', '=', 'damagedFiles.coupleId')
        .onRef('memories.fileName', '=', 'damagedFiles.fileName'),
    )
    .select(['memories.id', 'memories.dateId', 'memories.caption', 'memories.originalFileName'])
    .select(['damagedFiles.kind', 'damagedFiles.foundAt'])
    .where('damagedFiles.coupleId', '=', coupleId)
    .where('memories.deletedAt', 'is', null)
    .where('memories.dateDeletedAt', 'is', null)
    .orderBy('damagedFiles.foundAt')
    .orderBy('memories.id')
    .execute();
}
