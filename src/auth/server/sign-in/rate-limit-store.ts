import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';

/** Holds a row of the tries until the transaction ends, and reads it. Whoever locks several does so in one order. */
export async function lockTries(tx: Writer, key: string): Promise<number[]> {
  const { times } = await tx
    .insertInto('tries')
    .values({ key, times: '[]', expire: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returning('times')
    .executeTakeFirstOrThrow();
  return JSON.parse(times) as number[];
}

export async function readTries(reader: Reader, key: string): Promise<number[]> {
  const row = await reader.selectFrom('tries').select('times').where('key', '=', key).executeTakeFirst();
  return row ? (JSON.parse(row.times) as number[]) : [];
}

export async function saveTries(tx: Writer, key: string, times: readonly number[]): Promise<void> {
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

/** Lets go of what no longer counts. */
export async function forgetTries(tx: Writer, before: number): Promise<void> {
  await tx.deleteFrom('tries').where('expire', '<', before).execute();
}
