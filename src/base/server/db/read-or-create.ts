import type { Db, Reader, Writer } from './db.ts';

/**
 * Returns a row that all nodes share, and creates it on its first use. If several nodes create it at once, the first one's
 * row counts for all.
 * @param create inserts the row, and leaves one that is there as it is
 */
export async function readOrCreate<Row>(
  db: Pick<Db, 'read' | 'write'>,
  read: (reader: Reader) => Promise<Row | undefined>,
  create: (tx: Writer) => Promise<unknown>,
): Promise<Row> {
  const found = await read(db.read);
  if (found !== undefined) return found;
  return db.write(async (tx) => {
    await create(tx);
    const row = await read(tx);
    if (row === undefined) throw new Error('A row could not be created');
    return row;
  });
}
