import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';

/** Locks a row of attempts until the transaction ends, and reads it. Callers lock several rows in a fixed order. */
export async function lockAttempts(tx: Writer, key: string): Promise<number[]> {
  const { times } = await tx
    .insertInto('tries')
    .values({ key, times: '[]', expire: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returning('times')
    .executeTakeFirstOrThrow();
  return JSON.parse(times) as number[];
}

export async function readAttempts(reader: Reader, key: string): Promise<number[]> {
  const row = await reader.selectFrom('tries').select('times').where('key', '=', key).executeTakeFirst();
  return row ? (JSON.parse(row.times) as number[]) : [];
}

export async function saveAttempts(tx: Writer, key: string, times: readonly number[]): Promise<void> {
  if (times.length === 0) await tx.deleteFrom('tries').where('key', '=', key).execute();
  else {
    const expire = (times.at(-1) ?? 0) + authLimits.triesWindow;
    await tx
      .updateTable('tries')
      .set({ times: JSON.stringify(times), expire })
      .where('key', '=', key)
      .execute();
  }
}
