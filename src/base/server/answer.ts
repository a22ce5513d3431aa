import type { Readable } from 'node:stream';
import { compress, type Encoded, type Encoding } from './compress.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** An answer that says more than its body: another status, headers. Anything else a handler returns is a body. */
export class Answer<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: AnswerHeaders;

  constructor(body: T, more: { status?: number; headers?: AnswerHeaders } = {}) {
    this.body = body;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}

/** The strong tag of a thing's own version (contract 1, Editing by two people). */
export function etagOf(thing: { id: string; version: number }): string {
  return `"${thing.id}.${thing.version}"`;
}

/** A thing created: 201 with its address, and its tag where it has one. */
export function created<T>(body: T, location: string, etag?: string): Answer<T> {
  return new Answer(body, { status: 201, headers: etag === undefined ? { location } : { location, etag } });
}

/** A thing with its tag. */
export function tagged<T>(body: T, etag: string): Answer<T> {
  return new Answer(body, { headers: { etag } });
}

/** A body that is JSON already, to be sent as it is, or as it was made small for those who took it so before. */
export class WrittenAnswer<T> {
  readonly bytes: Buffer;
  readonly #small = new Map<Encoding | null, Promise<Encoded>>();
  /** What it says, for the compiler alone. */
  declare readonly says: T;

  constructor(body: T) {
    this.bytes = Buffer.from(JSON.stringify(body));
  }

  /** Encoded as this browser takes it: once, however many ask. */
  small(encoding: Encoding | null): Promise<Encoded> {
    const known = this.#small.get(encoding) ?? compress(this.bytes, encoding);
    this.#small.set(encoding, known);
    return known;
  }
}

/** What is sent as it comes, not as JSON: photographs, events. */
export class StreamAnswer<S extends Readable | Buffer | null = Readable | Buffer | null> {
  readonly stream: S;
  readonly status: number;
  readonly headers: AnswerHeaders;

  constructor(stream: S, status: number, headers: AnswerHeaders) {
    this.stream = stream;
    this.status = status;
    this.headers = headers;
  }
}
