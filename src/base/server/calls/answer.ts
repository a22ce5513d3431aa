import type { Readable } from 'node:stream';
import { compress, type Encoded, type Encoding } from '../http/compress.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** A reply with its own status or headers. Any other value that a handler returns is the body. */
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

/** The strong ETag of an entity's version (wire.editing.1). */
export function etagOf(thing: { id: string; version: number }): string {
  return `"${thing.id}.${thing.version}"`;
}

/** 201 Created with the entity's `Location`, and its `ETag` if it has one. */
export function created<T>(body: T, location: string, etag?: string): Answer<T> {
  return new Answer(body, { status: 201, headers: etag === undefined ? { location } : { location, etag } });
}

/** 200 with an `ETag`. */
export function tagged<T>(body: T, etag: string): Answer<T> {
  return new Answer(body, { headers: { etag } });
}

/** A reply that is serialized once, and compressed at most once per encoding, for all requests that share it. */
export class WrittenAnswer<T> {
  readonly bytes: Buffer;
  readonly #compressed = new Map<Encoding | null, Promise<Encoded>>();
  /** The body's type. It exists only at compile time. */
  declare readonly bodyType: T;

  constructor(body: T) {
    this.bytes = Buffer.from(JSON.stringify(body));
  }

  /** The body in an encoding, or uncompressed for null. */
  compressed(encoding: Encoding | null): Promise<Encoded> {
    const known = this.#compressed.get(encoding) ?? compress(this.bytes, encoding);
    this.#compressed.set(encoding, known);
    return known;
  }
}

/** A reply that isn't JSON: a photo, an event stream. */
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
