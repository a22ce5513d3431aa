import { createEventSource, type EventSourceClient } from 'eventsource-client';
import { takeEarlyStream } from '../../../auth/web/session/early-stream.ts';
import { renew } from '../../../auth/web/session/renew.ts';
import { type Change, LAST_CHANGE_HEADER } from '../../../base/change.ts';
import { authorized } from '../../../base/web/net/access-token.ts';

/** After this, a hidden page closes its connection: browsers allow only a few per server. */
const HIDDEN_MS = 60_000;
/** The server sends a heartbeat every 20 s. A stream that is silent for longer than this is replaced. */
const SILENT_MS = 45_000;

/** What the client gives to `fetch`: its headers are a plain object. */
type StreamInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

export interface EventStreamOptions {
  readonly onChange: (change: Change) => void;
  /**
   * Changes may have been missed, until a time in milliseconds since the page's start: before the stream was open, in a gap
   * of it, or on the server.
   */
  readonly onGap: (until: number) => void;
}

/** The stream of the couple's changes (wire.live.1). It reconnects by itself, and sleeps while the page is hidden. */
class EventStream {
  readonly #options: EventStreamOptions;
  #source: EventSourceClient | null = null;
  #hidden: ReturnType<typeof setTimeout> | undefined;
  #silent: ReturnType<typeof setTimeout> | undefined;
  /** Whether the next connection follows a gap, in which the device may have slept. */
  #hasGap: boolean;
  /** When the stream was opened, in milliseconds since the page's start, and whether something came through it since. */
  #openedAt = 0;
  #isUnused = false;

  constructor(options: EventStreamOptions, hasGap: boolean) {
    this.#options = options;
    this.#hasGap = hasGap || document.hidden;
  }

  readonly followVisibility = (): void => {
    clearTimeout(this.#hidden);
    if (document.hidden) this.#hidden = setTimeout(() => this.close(), HIDDEN_MS);
    else this.#open();
  };

  close(): void {
    clearTimeout(this.#hidden);
    clearTimeout(this.#silent);
    this.#source?.close();
    this.#source = null;
    this.#hasGap = true;
  }

  #open(): void {
    if (this.#source) {
      // Does nothing while connected; while waiting to reconnect it connects now.
      this.#source.connect();
      return;
    }
    this.#source = createEventSource({
      url: new URL('/api/events', location.origin),
      fetch: (url, init) => this.#connect(url, init as StreamInit),
      // Runs after a clean end and after a broken socket; onDisconnect runs only after a clean end.
      onScheduleReconnect: () => {
        this.#hasGap = true;
      },
      onComment: () => this.#watch(),
      onMessage: ({ event, data }) => this.#read(event, data),
    });
  }

  async #connect(url: string | URL, init: StreamInit): Promise<Response> {
    this.#watch();
    const early = takeEarlyStream(init.signal);
    const { response, openedAt } = early ? await early : await openStream(url, init);
    // The session is over. Without this the client would retry forever.
    if (response.status === 401) this.close();
    // The space is suspended. The page sees that when it asks for a token.
    if (response.status === 403) {
      this.close();
      void renew();
    }
    // The client's onConnect also runs for an error response, such as a proxy's 502 during a restart.
    if (response.ok) {
      this.#openedAt = openedAt;
      this.#isUnused = true;
      if (this.#hasGap || hasChangedSinceLoad(response, openedAt)) this.#options.onGap(openedAt);
      this.#hasGap = false;
    }
    return response;
  }

  #read(event: string | undefined, data: string): void {
    this.#watch();
    if (event === 'change') this.#options.onChange(JSON.parse(data) as Change);
    // A stream that begins with it covers the time before it was open.
    if (event === 'resync') this.#options.onGap(this.#isUnused ? this.#openedAt : performance.now());
    this.#isUnused = false;
  }

  /** Replaces the stream if nothing comes through it for too long. */
  #watch(): void {
    clearTimeout(this.#silent);
    this.#silent = setTimeout(() => {
      this.close();
      this.#open();
    }, SILENT_MS);
  }
}

async function openStream(url: string | URL, init: StreamInit) {
  const response = await authorized((headers) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }));
  return { response, openedAt: performance.now() };
}

/** Whether something has changed while the page loaded, before it was connected. */
function hasChangedSinceLoad({ headers }: Response, openedAt: number): boolean {
  return Number(headers.get(LAST_CHANGE_HEADER) ?? Number.POSITIVE_INFINITY) <= openedAt;
}

/**
 * Opens the stream while the page is visible.
 * @param hasGap whether the first connection follows a gap, such as time offline
 * @returns a function that closes it
 */
export function openEventStream(options: EventStreamOptions, hasGap: boolean): () => void {
  const stream = new EventStream(options, hasGap);
  document.addEventListener('visibilitychange', stream.followVisibility);
  stream.followVisibility();
  return () => {
    document.removeEventListener('visibilitychange', stream.followVisibility);
    stream.close();
  };
}
