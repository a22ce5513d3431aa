/**
 * Frees the memory of bytes that are no longer needed, unless their buffer is shared. They are empty afterwards. V8
 * counts memory outside its heap and would otherwise run a full garbage collection after every few photos.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
