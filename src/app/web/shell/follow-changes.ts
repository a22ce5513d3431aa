import type { QueryClient } from '@tanstack/react-query';
import { createEventSource, type EventSourceClient } from 'eventsource-client';
import { refreshUser } from '../../../auth/web/session/session.ts';
import type { Change } from '../../../base/change.ts';
import { authorized } from '../../../base/web/api.ts';

/**
 * What a change of one entity makes old on the screens, by the first part of the queries' keys: an idea's title stands
 * on its dates, a date's count on its idea, a photograph's on its date, and the statistics and the dashboard read all.
 */
const MAKES_OLD: Readonly<Record<Change['entity'], readonly string[]>> = {
  dateIdea: ['ideas', 'dates', 'stats', 'home'],
  plannedDate: ['dates', 'ideas', 'memories', 'trash', 'stats', 'home', 'celebrations'],
  memory: ['memories', 'trash', 'dates', 'stats', 'home'],
  couple: ['stats', 'home', 'session'],
};

/** At most one refetch per interval, however many photographs arrive in a row. */
const AT_MOST_EVERY_MS = 400;
/** A hidden page gives its connection back after this; browsers allow only a few per server. */
const HIDDEN_MS = 60_000;
/** The server sends a heartbeat every 20 s. A stream that is silent for longer than this is dead. */
const SILENT_MS = 45_000;

/**
 * Follows what either partner does (contract 3, Changes, live). After a gap, and when the server sends `resync`, every
 * open screen is fetched again. Returns a function that stops it.
 */
export function followChanges(queries: QueryClient): () => void {
  let source: EventSourceClient | null = null;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let silent: ReturnType<typeof setTimeout> | undefined;
  let missed = false;
  const refetchUser = () => void refreshUser().catch(() => undefined);
  const refetchAll = () => {
    void queries.invalidateQueries();
    refetchUser();
  };
  const old = gather((entities) => {
    const keys = new Set([...entities].flatMap((entity) => MAKES_OLD[entity]));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => keys.has(String(queryKey[0])) });
    if (entities.has('couple')) refetchUser();
  });

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
        if (response.ok && missed) {
          missed = false;
          refetchAll();
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
        if (event === 'change') old((JSON.parse(data) as Change).entity);
        if (event === 'resync') refetchAll();
      },
    });
  };
  const look = () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(close, HIDDEN_MS);
    else open();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  look();
  return () => {
    clearTimeout(hidden);
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
    close();
  };
}

/** Calls back at once, and then at most so often, with all that was told in between. */
function gather(tell: (entities: ReadonlySet<Change['entity']>) => void): (entity: Change['entity']) => void {
  let waiting = new Set<Change['entity']>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    const told = waiting;
    waiting = new Set();
    timer = setTimeout(flush, AT_MOST_EVERY_MS);
    tell(told);
  };
  return (entity) => {
    waiting.add(entity);
    timer ?? flush();
  };
}
