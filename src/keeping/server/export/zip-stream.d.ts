declare module 'zip-stream' {
  import type { Readable, Transform } from 'node:stream';

  interface Entry {
    name: string;
    /** Kept as it is, without compression. */
    store?: boolean;
    date?: Date;
    mode?: number;
  }

  /** Writes a ZIP as it is read, one entry after the other; ZIP64 where the old format's numbers would not do. */
  export default class ZipStream extends Transform {
    constructor(options?: { forceZip64?: boolean; level?: number });
    entry(source: Readable | Buffer, entry: Entry, done: (error?: Error | null) => void): this | undefined;
    finalize(): void;
  }
}
