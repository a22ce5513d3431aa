import { sql } from 'kysely';
import type { Db } from '../../src/base/server/db/db.ts';

/**
 * Makes the database refuse to delete the rows of one couple from a table, as after a statement timeout.
 * @returns a function that ends it
 */
export async function refuseDeletes(db: Db, table: string, coupleId: string): Promise<() => Promise<void>> {
  const [made, ended] =
    db.engine === 'sqlite'
      ? [
          [
            `create trigger refused before delete on "${table}" when old."coupleId" = '${coupleId}'
               begin select raise(abort, 'refused'); end`,
          ],
          ['drop trigger refused'],
        ]
      : [
          [
            `create function refused() returns trigger language plpgsql as
               'begin raise exception ''refused''; end'`,
            `create trigger refused before delete on "${table}" for each row when (old."coupleId" = '${coupleId}')
               execute function refused()`,
          ],
          ['drop function refused() cascade'],
        ];
  const run = (statements: readonly string[]) =>
    db.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
    });
  await run(made);
  return () => run(ended);
}
