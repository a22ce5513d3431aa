/** The response of `GET /api/events`, and when it arrived, in milliseconds since the page's start. */
export interface OpenedStream {
  readonly response: Response;
  readonly openedAt: number;
}

interface EarlyStream {
  readonly opening: Promise<OpenedStream>;
  readonly abort: AbortController;
}

let early: EarlyStream | null = null;
let hasOpened = false;

/** How long the page's first queries wait for the stream, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Opens the stream of live changes as soon as the page has its first token. Calls wait for the token, so what they fetch
 * has every change from before the stream, and nothing needs to be fetched twice. A hidden page has no stream.
 */
export async function openEarlyStream(token: string): Promise<void> {
  if (hasOpened || document.hidden) return;
  hasOpened = true;
  const abort = new AbortController();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
  const opening = fetch('/api/events', { headers, cache: 'no-store', signal: abort.signal }).then((response) => ({
    response,
    openedAt: performance.now(),
  }));
  early = { opening, abort };
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([opening.catch(() => undefined), patience]);
}

/**
 * Takes the stream that was opened early; null if there is none, or if it was taken.
 * @param signal closes it
 */
export function takeEarlyStream(signal: AbortSignal | null | undefined): Promise<OpenedStream> | null {
  const taken = early;
  early = null;
  signal?.addEventListener('abort', () => taken?.abort.abort());
  return taken?.opening ?? null;
}
