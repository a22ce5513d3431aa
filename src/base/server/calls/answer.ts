import type { Readable } from 'node:stream';

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
