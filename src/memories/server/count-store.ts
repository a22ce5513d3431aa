import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Visibility } from '../../base/server/visibility.ts';
import { liveMemories, visibleMemories } from './store.ts';

/** Counts the memories that a partner may see, of all dates or of one. */
export async function countMemories(
  reader: Reader,
  visibility: Visibility,
  dateId: string | null = null,
): Promise<number> {
  const { count } = await visibleMemories(reader, visibility)
    .$if(dateId !== null, (query) => query.where('dateId', '=', dateId))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the memories that a partner may see, and sums the size of their originals in bytes. */
export async function readMemoryTotals(
  reader: Reader,
  visibility: Visibility,
): Promise<{ readonly memories: number; readonly bytes: number }> {
  const { memories, bytes } = await visibleMemories(reader, visibility)
    .select(({ fn }) => [
      fn.countAll<number>().as('memories'),
      fn.sum<number | string | null>('fileSizeBytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { memories, bytes: Number(bytes ?? 0) };
}

/** Counts the memories of each of these dates (null: all dates). A date without memories is not in the map. */
export async function countByDate(
  reader: Reader,
  coupleId: CoupleId,
  dateIds: readonly string[] | null,
): Promise<Map<string, number>> {
  if (dateIds?.length === 0) return new Map();
  const rows = await liveMemories(reader, coupleId)
    .$if(dateIds !== null, (query) => query.where('dateId', 'in', dateIds ?? []))
    .select(({ fn }) => ['dateId', fn.countAll<number>().as('count')])
    .groupBy('dateId')
    .execute();
  return new Map(rows.map(({ dateId, count }) => [dateId, count]));
}

/** What a couple keeps: its memories without those in the trash, and the bytes of all its originals, trash included. */
export interface Kept {
  readonly memories: number;
  readonly bytes: number;
}

/** What each of these couples keeps. A couple without photographs is not in the map. For the operator only. */
export async function readKeptBy(reader: Reader, coupleIds: readonly CoupleId[]): Promise<Map<CoupleId, Kept>> {
  const rows = await reader
    .selectFrom('memories')
    .select(({ fn, eb, and }) => [
      'coupleId',
      fn
        .count<number>('id')
        .filterWhere(and([eb('deletedAt', 'is', null), eb('dateDeletedAt', 'is', null)]))
        .as('memories'),
      fn.sum<number | string>('fileSizeBytes').as('bytes'),
    ])
    .where('coupleId', 'in', coupleIds)
    .groupBy('coupleId')
    .execute();
  return new Map(rows.map(({ coupleId, memories, bytes }) => [coupleId, { memories, bytes: Number(bytes) }]));
}
