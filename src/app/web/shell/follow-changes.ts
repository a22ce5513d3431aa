import type { Query, QueryClient } from '@tanstack/react-query';
import { createEventSource, type EventSourceClient } from 'eventsource-client';
import type { authCalls } from '../../../auth/contract.ts';
import { expectFarewell } from '../../../auth/web/couple/farewell.ts';
import { setUser } from '../../../auth/web/session/session.ts';
import { type Change, LAST_CHANGE_HEADER } from '../../../base/change.ts';
import { authorized } from '../../../base/web/net/access-token.ts';
import { client } from '../../../base/web/net/client.ts';
import { delay } from '../start/timing.ts';
import { watchSurprises } from './watch-surprises.ts';

const authApi = client<typeof authCalls>();

/**
 * The queries that a change of each entity invalidates, by the first part of their keys. Dates show their idea's title,
 * ideas count their dates, dates count their photographs, and the statistics and the dashboard use everything. Without a
 * partner no idea is mutual.
 */
const INVALIDATED_QUERIES: Readonly<Record<Change['entity'], readonly string[]>> = {
  dateIdea: ['ideas', 'dates', 'search', 'stats', 'home', 'celebrations'],
  plannedDate: ['dates', 'ideas', 'memories', 'search', 'trash', 'stats', 'home', 'celebrations'],
  memory: ['memories', 'search', 'trash', 'dates', 'stats', 'home'],
  couple: ['stats', 'home', 'session', 'ideas', 'search', 'celebrations'],
};

/** At most one refetch per interval, however many photographs arrive in a row. */
const AT_MOST_EVERY_MS = 400;
/** A refetch that takes longer than this may be interrupted by the next one. */
const STALLED_MS = 10_000;
/** After this, a hidden page closes its connection: browsers allow only a few per server. */
const HIDDEN_MS = 60_000;
/** The server sends a heartbeat every 20 s. A stream that is silent for longer than this is replaced. */
const SILENT_MS = 45_000;

/**
 * Refetches what either partner changes (wire.live.3). After a gap in the stream, after a change between
 * the page's load and its first connection, and when the server sends `resync`, it refetches every open screen. At its
 * time, it refetches a surprise. Returns a function that stops it.
 * @param hasMissedChanges whether the first connection follows a gap too, such as time offline
 */
export function followChanges(queryClient: QueryClient, hasMissedChanges: boolean): () => void {
  let source: EventSourceClient | null = null;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  // A hidden page does not connect yet, and the device may sleep meanwhile, when the page's clock may stand still.
  let missed = hasMissedChanges || document.hidden;
  /** The partner has joined, or has changed the couple's settings. */
  const refetchUser = () =>
    void authApi('GET /api/auth/session').then(
      ({ user }) => setUser(user),
      () => undefined,
    );
  const begun = recordFetches(queryClient);
  /** When the stream was opened, and whether something came through it since, in milliseconds since the page's start. */
  let openedAt = 0;
  let isSilent = false;
  /** What began to be fetched after the stream was open has every change from before that. */
  const refetchAll = (before: number) => {
    void refetch(queryClient, (query) => begun.at(query) < before);
    refetchUser();
  };
  const invalidate = throttle((entities) => {
    const keys = new Set([...entities].flatMap((entity) => INVALIDATED_QUERIES[entity]));
    if (entities.has('couple')) refetchUser();
    return refetch(queryClient, ({ queryKey }) => keys.has(String(queryKey[0])));
  });

  const hear = ({ entity, action }: Change) => {
    // What is fetched next is refused, which ends the session.
    if (entity === 'couple' && action === 'deleted') expectFarewell('deleted');
    invalidate(entity);
  };

  const close = () => {
    clearTimeout(silent);
    source?.close();
    source = null;
    missed = true;
  };
  const watch = () => {
    clearTimeout(silent);
    silent = setTimeout(() => {
      close();
      open();
    }, SILENT_MS);
  };
  const open = () => {
    if (source) {
      // Does nothing while connected; while waiting to reconnect it connects now.
      source.connect();
      return;
    }
    source = createEventSource({
      url: new URL('/api/events', location.origin),
      fetch: async (url, init) => {
        watch();
        const response = await authorized((headers) =>
          fetch(url, { ...(init as RequestInit), headers: { ...init?.headers, ...headers } }),
        );
        // The session is over. Without this the client would retry forever.
        if (response.status === 401) close();
        // The client's onConnect also runs for an error response, such as a proxy's 502 during a restart.
        if (response.ok) {
          openedAt = performance.now();
          isSilent = true;
          if (missed || hasChangedSinceLoad(response)) refetchAll(openedAt);
          missed = false;
        }
        return response;
      },
      // Runs after a clean end and after a broken socket; onDisconnect runs only after a clean end.
      onScheduleReconnect: () => {
        missed = true;
      },
      onComment: watch,
      onMessage: ({ event, data }) => {
        watch();
        if (event === 'change') hear(JSON.parse(data) as Change);
        // A stream that begins with it tells of the time before it was open.
        if (event === 'resync') refetchAll(isSilent ? openedAt : performance.now());
        isSilent = false;
      },
    });
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(close, HIDDEN_MS);
    else open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('online', onVisibility);
  onVisibility();
  const stopWatching = watchSurprises(queryClient);
  return () => {
    stopWatching();
    begun.stop();
    clearTimeout(hidden);
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('online', onVisibility);
    close();
  };
}

/** Records when each query began its latest fetch, in milliseconds since the page's start; 0 if that was before the recording. */
function recordFetches(queryClient: QueryClient): { at(query: Query): number; stop(): void } {
  const times = new WeakMap<Query, number>();
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch') times.set(event.query as Query, performance.now());
  });
  return { at: (query) => times.get(query) ?? 0, stop };
}

/** Whether something has changed while the page loaded, before it was connected. */
function hasChangedSinceLoad({ headers }: Response): boolean {
  return Number(headers.get(LAST_CHANGE_HEADER) ?? Number.POSITIVE_INFINITY) <= performance.now();
}

/**
 * Refetches the open screens' queries, and the others when they are used again. A query without data goes on with the
 * fetch that is running, which may have been answered before the change, so it is fetched once more after that.
 */
async function refetch(queryClient: QueryClient, matches: (query: Query) => boolean): Promise<void> {
  const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined;
  const first = new Set(
    queryClient.getQueryCache().findAll({ predicate: (query) => matches(query) && isFirst(query) }),
  );
  await queryClient.invalidateQueries({ predicate: matches });
  if (first.size > 0) await queryClient.invalidateQueries({ predicate: (query) => first.has(query) });
}

/**
 * Calls back at once, then at most once per interval with all entities since the last call. It waits until the last
 * call's refetch is done, because the next one interrupts it: on a slow connection, none of them would ever finish.
 */
function throttle(
  callback: (entities: ReadonlySet<Change['entity']>) => Promise<void>,
): (entity: Change['entity']) => void {
  let waiting = new Set<Change['entity']>();
  let isBusy = false;
  const flush = async () => {
    isBusy = true;
    while (waiting.size > 0) {
      const entities = waiting;
      waiting = new Set();
      const done = callback(entities);
      await delay(AT_MOST_EVERY_MS);
      await Promise.race([done, delay(STALLED_MS)]);
    }
    isBusy = false;
  };
  return (entity) => {
    waiting.add(entity);
    if (!isBusy) void flush();
  };
}
