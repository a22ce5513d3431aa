import { PassThrough, type Readable } from 'node:stream';
import { type Change, LAST_CHANGE_HEADER } from '../../../base/change.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { StreamAnswer } from '../../../base/server/calls/answer.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { idsOfActiveSessions, SESSIONS_PER_QUERY } from './session-store.ts';

const HEARTBEAT_MS = 20_000;
/** Reconnect delay for pages, in milliseconds: they must refetch within a second after the server is back. */
const RETRY_MS = 500;
/** How often the node checks whether the sessions of its open streams have ended on another node. */
const CHECK_MS = 5_000;
/** Two people have a few devices with a few tabs each. More streams are dead connections, or a bug. */
const STREAMS_PER_COUPLE = 40;
/** Unread bytes after which a slow client is disconnected. It reconnects and refetches everything. */
const UNREAD_LIMIT = 64 * 1024;

/** Tells a page that changes may have been missed, so that it asks for everything again. */
const RESYNC = 'event: resync\ndata: {}\n\n';

/** Headers of an event stream. Proxies must neither cache nor buffer it. */
export const EVENT_STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** The open streams of `GET /api/events` on this node (wire.live.1). */
export interface EventStreams {
  /**
   * Opens a stream of the couple's changes that this user may know, until the session ends, the client disconnects, or
   * the server closes. Every change that commits after the promise resolves is on the stream, or the stream sends
   * `resync`. `LAST_CHANGE_HEADER` covers those before; if this node does not know of them, the stream begins with
   * `resync`.
   */
  open(session: Session): Promise<StreamAnswer<Readable>>;
  /** Ends the streams of one session of a user, or of all the user's sessions except one. */
  end(userId: UserId, which: { readonly session: string } | { readonly except: string | null }): void;
  /** Ends all streams and accepts no new ones, so that the server can close. */
  close(): void;
}

interface OpenStream {
  readonly session: Session;
  readonly stream: PassThrough;
}

/** Opens the registry of event streams. The intervals are parameters for tests only. */
export function openEventStreams(deps: Deps, { heartbeatMs = HEARTBEAT_MS, checkMs = CHECK_MS } = {}): EventStreams {
  const couples = new Map<CoupleId, Set<OpenStream>>();
  const every = (work: (open: OpenStream) => void) => {
    for (const streams of couples.values()) for (const open of streams) work(open);
  };
  const heartbeat = setInterval(() => every(({ stream }) => send(stream, ':\n\n')), heartbeatMs);
  let checking: Promise<void> | null = null;
  const check = setInterval(() => {
    const all = [...couples.values()].flatMap((streams) => [...streams]);
    checking ??= endExpired(deps, all).finally(() => {
      checking = null;
    });
  }, checkMs);
  heartbeat.unref();
  check.unref();
  const offGap = deps.live.onGap(() => every(({ stream }) => send(stream, RESYNC)));
  let isClosed = false;

  return {
    open: async (session) => {
      const stream = new PassThrough();
      if (isClosed) stream.end();
      const open = { session, stream };
      const streams = couples.get(session.coupleId) ?? new Set<OpenStream>();
      couples.set(session.coupleId, streams.add(open));
      // End the oldest stream: it is the most likely to be dead, and a live client reconnects.
      if (streams.size > STREAMS_PER_COUPLE) [...streams][0]?.stream.end();
      const listening = deps.live.listen(session.coupleId, (change, only) => {
        if (only === undefined || only === session.userId) send(stream, changeEvent(change));
        // Its last event: the sessions are deleted with the space.
        if (change.entity === 'couple' && change.action === 'deleted') stream.end();
      });
      stream.on('close', () => {
        listening.stop();
        streams.delete(open);
        if (streams.size === 0) couples.delete(session.coupleId);
      });
      stream.on('error', () => undefined);
      send(stream, `retry: ${RETRY_MS}\n\n`);
      await listening.active;
      if (!listening.hasListened) {
        send(stream, RESYNC);
        return new StreamAnswer(stream, 200, EVENT_STREAM);
      }
      // Rounded down: if in doubt, the page asks again.
      const since = Math.floor(deps.live.sinceLastChange(session.coupleId, session.userId));
      return new StreamAnswer(stream, 200, { ...EVENT_STREAM, [LAST_CHANGE_HEADER]: String(since) });
    },
    end: (userId, which) =>
      every(({ session, stream }) => {
        const matches = 'session' in which ? session.sessionId === which.session : session.sessionId !== which.except;
        if (session.userId === userId && matches) stream.end();
      }),
    close: () => {
      isClosed = true;
      clearInterval(heartbeat);
      clearInterval(check);
      offGap();
      every(({ stream }) => stream.end());
    },
  };
}

function changeEvent({ entity, id, action, by }: Change): string {
  return `event: change\ndata: ${JSON.stringify({ entity, id, action, by })}\n\n`;
}

function send(stream: PassThrough, text: string): void {
  if (!stream.writable) return;
  stream.write(text);
  if (stream.writableLength + stream.readableLength > UNREAD_LIMIT) stream.destroy();
}

/**
 * Ends the streams whose session has ended on another node or expired, with one query for every thousand sessions. If the
 * database can't be reached, it ends all that are not checked yet.
 */
async function endExpired({ db, now }: Deps, streams: readonly OpenStream[]): Promise<void> {
  const sessions = [...new Map(streams.map(({ session }) => [session.sessionId, session])).values()];
  const active = new Set<string>();
  try {
    for (let at = 0; at < sessions.length; at += SESSIONS_PER_QUERY) {
      const batch = sessions.slice(at, at + SESSIONS_PER_QUERY);
      for (const id of await idsOfActiveSessions(db.read, batch, now())) active.add(id);
    }
  } catch {
    // Streams of unknown sessions end below. Their pages reconnect, and ask to sign in if the session is over.
  }
  for (const { session, stream } of streams) if (!active.has(session.sessionId)) stream.end();
}
