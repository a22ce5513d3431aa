const CHUNK_BYTES = 256 * 1024;

/** Joins pieces to chunks of 256 KB, since one write for each piece would be slow. */
export async function* inChunks(pieces: AsyncIterable<Uint8Array> | Iterable<string>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const added = typeof piece === 'string' ? Buffer.from(piece) : piece;
    pending.push(added);
    bytes += added.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(pending);
    pending = [];
    bytes = 0;
  }
  yield Buffer.concat(pending);
}
