import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../call.ts';

/**
 * Holds an answer against its contract: every field there, none besides, each of its shape. A difference is a
 * mistake of ours, so it throws and answers 500; it is on in the tests, where that is noticed.
 */
export function assertReplyShape(call: Call, body: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(body));
  if (call.reply === null) throw new Error(`An answer where the contract has none: ${call.summary}`);
  const parsed = call.reply.safeParse(wire);
  if (!parsed.success)
    throw new Error(`An answer that is not of its contract's shape (${call.summary}): ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, wire))
    throw new Error(`An answer with fields that its contract lacks: ${call.summary}`);
}
