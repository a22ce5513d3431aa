import type { SsrRequest } from '../ssr.ts';

/** Whether this code runs on the server, where there is no DOM. */
export const isServer = !('document' in globalThis);

let read: () => SsrRequest | null = () => null;

/** Sets the source of `ssrRequest`: the request scope on the server, the data block in the browser. */
export function provideSsrRequest(source: () => SsrRequest | null): void {
  read = source;
}

/** The request that the server rendered this page for, or null if the browser renders it. */
export function ssrRequest(): SsrRequest | null {
  return read();
}

/**
 * Like `ssrRequest`, for code that only runs in server-side rendering or hydration.
 * @throws Error on a page that the browser renders
 */
export function requireSsrRequest(): SsrRequest {
  const request = read();
  if (request === null) throw new Error('This page was not rendered on the server.');
  return request;
}

/** The request during server-side rendering, or null in a browser, which has its own address and time zone. */
export function requestOnServer(): SsrRequest | null {
  return isServer ? requireSsrRequest() : null;
}

let receivedAt = Number.NEGATIVE_INFINITY;

/** Sets when the browser received the data block, in milliseconds of its clock. */
export function setSsrReceivedAt(at: number): void {
  receivedAt = at;
}

/** Whether a query's data came with the page, and this browser has not refetched it yet. */
export function isFromSsr({ state }: { readonly state: { readonly dataUpdatedAt: number } }): boolean {
  return state.dataUpdatedAt > 0 && state.dataUpdatedAt <= receivedAt;
}
