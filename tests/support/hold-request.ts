import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { CallName } from '../../src/base/call.ts';
import { fillPath, splitName } from '../../src/base/call.ts';
import type { Caller } from './caller.ts';

/**
 * Sends the headers of a call, and its JSON body only later.
 * @param input `key`: its `Idempotency-Key`
 * @returns a function that sends the body and returns the status of the answer
 */
export function holdRequest(
  { url, token }: Caller,
  name: CallName,
  {
    params = {},
    body = {},
    key,
  }: { readonly params?: Readonly<Record<string, string>>; readonly body?: object; readonly key?: string } = {},
): () => Promise<number | undefined> {
  const { method, path } = splitName(name);
  const json = JSON.stringify(body);
  const sending = request(url + fillPath(path, params), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
  sending.flushHeaders();
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  return async () => {
    sending.end(json);
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
}
