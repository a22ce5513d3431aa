/**
 * Frees the memory of bytes that nobody reads again, where it is theirs alone; they are empty afterwards. V8 counts what
 * lies outside its heap: left to it, it would look through the whole heap for such bytes after every few photographs.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
