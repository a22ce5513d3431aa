declare module 'zip-stream' {
  import type { Readable, Transform } from 'node:stream';

  interface Entry {
    name: string;
    /** Store the file without compression. */
    store?: boolean;
    date?: Date;
    mode?: number;
  }

  /** Writes a ZIP as a stream, entry by entry; ZIP64 if needed. */
  export default class ZipStream extends Transform {
    constructor(options?: { forceZip64?: boolean; level?: number });
    entry(source: Readable | Buffer, entry: Entry, done: (error?: Error | null) => void): this | undefined;
    finalize(): void;
  }
}
