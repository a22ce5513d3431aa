import { isLoopback } from '../../../base/loopback.ts';

/** More than any answer of a provider needs. */
const MAX_BYTES = 1_000_000;

/**
 * Fetches from the OpenID provider. An answer is read up to a megabyte, and nothing is sent without HTTPS but to this
 * machine, whatever address the provider names.
 * @throws Error
 */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error('The OpenID provider names an address without HTTPS');
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new Error('An answer of the OpenID provider is too long');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(length === 0 ? null : Buffer.concat(chunks), { status, headers });
}
