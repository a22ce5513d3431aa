import type { SsrRequest } from '../ssr.ts';

/** Whether this code runs on the server, where there is no DOM. */
export const isServer = !('document' in globalThis);

let read: () => SsrRequest | null = () => null;

/** Sets where `ssrRequest` reads from: on the server the scope of each request, in the browser the data block. */
export function provideSsrRequest(source: () => SsrRequest | null): void {
  read = source;
}

/** The request that this page was rendered for; null on a page that the browser renders. */
export function ssrRequest(): SsrRequest | null {
  return read();
}

/** The same, for code that only runs during rendering on the server or hydration. */
export function requireSsrRequest(): SsrRequest {
  const request = read();
  if (request === null) throw new Error('This page was not rendered on the server.');
  return request;
}

/** The request on the server; null in a browser, which reads its own address and time zone. */
export function requestOnServer(): SsrRequest | null {
  return isServer ? requireSsrRequest() : null;
}

let receivedAt = Number.NEGATIVE_INFINITY;

/** Notes when the queries' state of the data block was received, in milliseconds of the device's clock. */
export function setSsrReceivedAt(at: number): void {
  receivedAt = at;
}

/** Whether a query still shows what came with the page, rather than an answer to a call of this browser. */
export function isFromSsr({ state }: { readonly state: { readonly dataUpdatedAt: number } }): boolean {
  return state.dataUpdatedAt > 0 && state.dataUpdatedAt <= receivedAt;
}
