import http from 'node:http';
import https from 'node:https';
import { isAllowedEndpoint, publicLookup } from './allowed-endpoint.ts';

/** How long a push service may take to answer, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Sends a request to a push service. Returns its status; follows no redirects and doesn't read the body. */
export function postToPushService(
  endpoint: string,
  request: { readonly headers: Readonly<Record<string, string | number>>; readonly body: Buffer },
  local: boolean,
): Promise<number> {
  if (!isAllowedEndpoint(endpoint, local))
    return Promise.reject(new Error('This is not the address of a push service'));
  const { request: ask } = endpoint.startsWith('http:') ? http : https;
  return new Promise((done, failed) => {
    const sent = ask(endpoint, {
      method: 'POST',
      headers: request.headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(local ? {} : { lookup: publicLookup }),
    });
    sent.on('response', (response) => {
      done(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', failed);
    sent.end(request.body);
  });
}
