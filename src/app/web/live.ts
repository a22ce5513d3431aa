import type { QueryClient } from '@tanstack/react-query';
import { createEventSource, type EventSourceClient } from 'eventsource-client';
import { refreshUser } from '../../auth/web/who.ts';
import type { Change } from '../../base/change.ts';
import { authorization, reportSignedOut } from '../../base/web/api.ts';

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

/** A hundred photographs in a row ask for the lists twice a second, not a hundred times. */
const AT_MOST_EVERY_MS = 400;
/** A page out of sight gives its connection back after this; browsers have few of them to a server. */
const HIDDEN_MS = 60_000;

/**
 * Follows what either partner does (contract 3, Changes, live). What the stream missed while it was away is made up
 * for by asking for everything anew. Answers how to stop.
 */
export function followChanges(queries: QueryClient): () => void {
  let source: EventSourceClient | null = null;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let missed = false;
  const old = gather((entities) => {
    const keys = new Set([...entities].flatMap((entity) => MAKES_OLD[entity]));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => keys.has(String(queryKey[0])) });
    if (entities.has('couple')) refreshUser().catch(() => undefined);
  });

  const close = () => {
    source?.close();
    source = null;
    missed = true;
  };
  const open = () => {
    if (source) return;
    source = createEventSource({
      url: new URL('/api/events', location.origin),
      headers: { ...authorization() },
      fetch: async (url, init) => {
        const response = await fetch(url, init as RequestInit);
        if (response.status === 401) {
          // It would be tried for ever: the session is over.
          close();
          reportSignedOut();
        }
        return response;
      },
      onConnect: () => {
        if (missed) void queries.invalidateQueries();
        missed = false;
      },
      onDisconnect: () => {
        missed = true;
      },
      onMessage: ({ event, data }) => {
        if (event === 'change') old((JSON.parse(data) as Change).entity);
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
