/** A request that creates something, and what the user wrote for it. */
export interface RepeatableRequest<Body> {
  /** What the user wrote, as JSON. */
  readonly written: string;
  readonly body: Body;
  /** The Idempotency-Key. */
  readonly key: string;
}

/**
 * The request for what the user wrote. If the last one was for the same, its answer may only have been lost, and the same
 * body with the same key creates nothing twice. A body made now may differ: by the idea that the last one has created, or by
 * the time.
 * @param newKey the Idempotency-Key of another request
 */
export function repeatOrMake<Body>(
  last: RepeatableRequest<Body> | undefined,
  what: unknown,
  newKey: string,
  makeBody: () => Body,
): RepeatableRequest<Body> {
  const written = JSON.stringify(what);
  return last?.written === written ? last : { written, body: makeBody(), key: newKey };
}
