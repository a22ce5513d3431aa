import { Readable } from 'node:stream';

/** A file's content on a disk that fails after the first bytes. */
export function badSector(): Readable {
  return Readable.from(
    (function* () {
      yield Buffer.alloc(100);
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
    })(),
  );
}
