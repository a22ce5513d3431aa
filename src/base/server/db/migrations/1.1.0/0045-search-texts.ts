import { type Kysely, sql } from 'kysely';
import { memorySearchText } from '../../../../search-text.ts';

const BATCH = 500;

interface Row {
  readonly coupleId: string;
  readonly id: string;
  readonly caption: string | null;
  readonly originalFileName: string;
}

/**
 * Stores with each memory what the search finds it by. A node of an older version leaves it null, and the search then
 * looks at the caption and the name themselves.
 */
export async function searchTexts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('memories').addColumn('searchText', 'text').execute();
  let after: Pick<Row, 'coupleId' | 'id'> = { coupleId: '', id: '' };
  for (;;) {
    const { rows } = await sql<Row>`
      select "coupleId", "id", "caption", "originalFileName" from "memories"
      where ("coupleId", "id") > (${after.coupleId}, ${after.id})
      order by "coupleId", "id" limit ${BATCH}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
    const texts = rows.map((row) => sql`(${row.coupleId}, ${row.id}, ${memorySearchText(row)})`);
    await sql`
      update "memories" set "searchText" = "filled"."column3" from (values ${sql.join(texts)}) as "filled"
      where "coupleId" = "filled"."column1" and "id" = "filled"."column2"`.execute(db);
  }
}
