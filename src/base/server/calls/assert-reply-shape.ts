import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../call.ts';

/**
 * Checks a reply against its contract: all fields, no others, each of the right type. Tests turn this check on.
 * @throws Error (a 500) if the reply differs, because that is a bug in the server
 */
export function assertReplyShape(call: Call, body: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(body));
  if (call.reply === null) throw new Error(`A reply where the contract has none: ${call.summary}`);
  const parsed = call.reply.safeParse(wire);
  if (!parsed.success)
    throw new Error(`A reply that doesn't match its contract (${call.summary}): ${parsed.error.message}`);
  if (!isDeepStrictEqual(parsed.data, wire))
    throw new Error(`A reply with fields that its contract lacks: ${call.summary}`);
}
