import { type Expression, type SqlBool, sql } from 'kysely';
import { authLimits } from '../../auth/rules.ts';
import { partnersOf } from '../../auth/server/store.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer, Visibility } from '../../base/server/visibility.ts';
import { type MemoryRow, visibleMemories } from '../../memories/server/store.ts';
import { notesVisibleTo } from '../../notes/rules.ts';
import { type NoteRow, readLeftNotes, readNotes } from '../../notes/server/store.ts';

/** What a row of an older version is found by: its texts without what `foldText` does. */
const OWN_TEXT = sql`lower(coalesce("caption", '') || ' ' || "originalFileName")`;

/** Whether a memory has a word. */
function hasWord(word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`coalesce("searchText", ${OWN_TEXT}) like ${pattern} escape '\\'`;
}

/**
 * Finds the memories that a partner may see and that have all words, latest first, and counts them.
 * @param words folded; at least one
 */
export async function findMemories(
  reader: Reader,
  visibility: Visibility,
  { words, limit }: { readonly words: readonly string[]; readonly limit: number },
): Promise<{ readonly rows: MemoryRow[]; readonly count: number }> {
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

/** The texts of the two notes of each date, as far as a partner may read them. */
export async function readableNotes(
  reader: Reader,
  { coupleId, userId }: Viewer,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [partners, notes, leftNotes] = await Promise.all([
    partnersOf(reader, coupleId),
    readNotes(reader, coupleId, null),
    readLeftNotes(reader, coupleId, null),
  ]);
  const hasPartner = partners.length === authLimits.partners;
  const [byDate, leftByDate] = [Map.groupBy(notes, dateOf), Map.groupBy(leftNotes, dateOf)];
  const texts = new Map<string, string[]>();
  for (const dateId of new Set([...byDate.keys(), ...leftByDate.keys()])) {
    const { mine, theirs } = notesVisibleTo(userId, {
      notes: byDate.get(dateId) ?? [],
      leftNotes: leftByDate.get(dateId) ?? [],
      hasPartner,
    });
    texts.set(
      dateId,
      [mine, theirs].flatMap((note) => note?.text ?? []),
    );
  }
  return texts;
}

const dateOf = ({ dateId }: NoteRow) => dateId;
