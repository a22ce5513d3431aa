/** Rows per batch, few enough to name all of them in one statement (see `MOST_VALUES`). */
const LIMIT = 500;

/**
 * Reads rows in batches until none is left, each after the last row of the one before, so that a row that stays doesn't
 * come again, and many rows hold up nobody. For background work, commands and exports.
 * @param read reads at most `limit` rows after a row, in a fixed order that an index serves
 */
export async function* readInBatches<Row>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Row | null = null;
  for (;;) {
    const batch = await read(after, LIMIT);
    if (batch.length > 0) yield batch;
    if (batch.length < LIMIT) return;
    after = batch.at(-1) ?? null;
  }
}

/** Like `readInBatches`, row by row. */
export async function* readRowByRow<Row>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for await (const batch of readInBatches(read)) yield* batch;
}
