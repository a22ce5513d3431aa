import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer, Visibility } from '../../base/server/visibility.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import type { Memory } from '../../memories/contract.ts';
import { type MemoryRow, visibleMemories } from '../../memories/server/store.ts';
import { toMemory } from '../../memories/server/to-memory.ts';
import type { Finds, SearchRequest } from './finds.ts';

/** What a row of an older version is found by: its texts without what `foldText` does. */
const OWN_TEXT = sql`lower(coalesce("caption", '') || ' ' || "originalFileName")`;

/** Whether a memory has a word. */
function hasWord(word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`coalesce("searchText", ${OWN_TEXT}) like ${pattern} escape '\\'`;
}

/** Finds the memories that the viewer may see and that have all words, latest first, and counts them. */
export function findMemories(reader: Reader, viewer: Viewer, search: SearchRequest): Promise<Finds<Memory>> {
  return readAsVisible(reader, viewer, search.now, async (visibility) => {
    const { rows, count } = await matchingRows(reader, visibility, search);
    return { finds: rows.map(toMemory), count };
  });
}

async function matchingRows(
  reader: Reader,
  visibility: Visibility,
  { words, limit }: SearchRequest,
): Promise<{ readonly rows: readonly MemoryRow[]; readonly count: number }> {
  const matching = visibleMemories(reader, visibility).where(({ and }) => and(words.map(hasWord)));
  const found = await matching
    .select(({ fn }) => ['memories.id', fn.countAll<number>().over().as('count')])
    .orderBy('happenedAt', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute();
  if (found.length === 0) return { rows: [], count: 0 };
  const ids = found.map(({ id }) => id);
  const rows = await visibleMemories(reader, visibility)
    .selectAll('memories')
    .where('memories.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), count: found[0]?.count ?? 0 };
}
