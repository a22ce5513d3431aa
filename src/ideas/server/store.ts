import { uuidv7 } from 'uuidv7';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepareQuery } from '../../base/server/db/prepare-query.ts';
import type { IdeasTable } from '../../base/server/db/tables/tables.ts';

/** An idea as stored. */
export type IdeaRow = IdeasTable;

/** The fields that the user sets. */
export interface IdeaColumns {
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
  readonly isActive: boolean;
}

function notDeleted(reader: Reader, coupleId: CoupleId) {
  return reader.selectFrom('ideas').selectAll().where('coupleId', '=', coupleId).where('deletedAt', 'is', null);
}

/** All ideas of a couple that are not deleted, newest first. */
export function allIdeas(reader: Reader, coupleId: CoupleId): Promise<IdeaRow[]> {
  return notDeleted(reader, coupleId).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute();
}

/** The active ideas, optionally of one category, unordered. */
export function activeIdeas(reader: Reader, coupleId: CoupleId, category: string | null): Promise<IdeaRow[]> {
  const active = notDeleted(reader, coupleId).where('isActive', '=', 1);
  return (category === null ? active : active.where('category', '=', category)).execute();
}

/** Finds an idea; a deleted one only with `includeDeleted`. */
export async function findIdea(
  reader: Reader,
  coupleId: CoupleId,
  id: string,
  { includeDeleted = false } = {},
): Promise<IdeaRow | undefined> {
  const [idea] = await ideaById(reader, { coupleId, id });
  return includeDeleted || idea?.deletedAt === null ? idea : undefined;
}

const ideaById = prepareQuery<Pick<IdeaRow, 'coupleId' | 'id'>, IdeaRow>((reader, value) =>
  reader.selectFrom('ideas').selectAll().where('coupleId', '=', value('coupleId')).where('id', '=', value('id')),
);

/** Reads an idea and locks it until the transaction ends, so that concurrent changes run one after the other. */
export function lockIdea(tx: Writer, coupleId: CoupleId, id: string): Promise<IdeaRow | undefined> {
  return tx
    .updateTable('ideas')
    .set((row) => ({ version: row.ref('version') }))
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Inserts an idea. */
export async function insertIdea(tx: Writer, coupleId: CoupleId, fields: IdeaColumns, now: number): Promise<IdeaRow> {
  const row: IdeaRow = {
    ...columns(fields),
    coupleId,
    id: uuidv7(),
    createdAt: now,
    updatedAt: now,
    version: 1,
    deletedAt: null,
  };
  await tx.insertInto('ideas').values(row).execute();
  return row;
}

/** Replaces a locked idea's fields. If nothing changes, it keeps its version. */
export async function replaceIdea(
  tx: Writer,
  coupleId: CoupleId,
  before: IdeaRow,
  fields: IdeaColumns,
  now: number,
): Promise<IdeaRow> {
  const after = { ...before, ...columns(fields) };
  const same = (['title', 'description', 'category', 'isActive'] as const).every(
    (name) => before[name] === after[name],
  );
  if (same) return before;
  const changed = { ...columns(fields), updatedAt: now, version: before.version + 1 };
  await tx.updateTable('ideas').set(changed).where('coupleId', '=', coupleId).where('id', '=', before.id).execute();
  return { ...before, ...changed };
}

/** Soft-deletes an idea. Its row stays for the dates planned from it. */
export async function deleteIdea(tx: Writer, coupleId: CoupleId, id: string, now: number): Promise<void> {
  await tx.updateTable('ideas').set({ deletedAt: now }).where('coupleId', '=', coupleId).where('id', '=', id).execute();
}

function columns(fields: IdeaColumns) {
  const { title, description, category, isActive } = fields;
  return { title, description, category, isActive: Number(isActive) };
}
