import { PassThrough, type Readable } from 'node:stream';
import type { Change } from '../../../base/change.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { StreamAnswer } from '../../../base/server/answer.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Session } from '../../../base/server/serve.ts';
import { sessionEnd } from '../../rules.ts';
import { sessionById } from './session-store.ts';

const HEARTBEAT_MS = 20_000;
/** How soon a page reconnects, in milliseconds: it has to fetch again within a second of the server being back. */
const RETRY_MS = 500;
/** How soon a session that ended on another node is noticed here. */
const CHECK_MS = 5_000;
/** Two people have a few devices with a few tabs each; what is over that is a connection long dead, or a mistake. */
const STREAMS_PER_COUPLE = 40;
/** Bytes that wait for a reader who doesn't read. It is then cut off, comes back and reads everything anew. */
const UNREAD_LIMIT = 64 * 1024;

/** What proxies need told of a stream of events: nothing of it may be kept or held back. */
export const EVENT_STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

/** The open streams of `GET /api/events` on this node (contract 3, Changes, live). */
export interface Events {
  /** A stream of what the session's couple changes, until the session ends, the reader goes, or the server closes. */
  open(session: Session): StreamAnswer<Readable>;
  /** Ends at once the streams of a user's session, or of all the user's sessions but one. */
  end(userId: UserId, which: { readonly session: string } | { readonly except: string | null }): void;
  /** Ends all streams and opens no more: a server that closes waits for nobody's stream. */
  close(): void;
}

interface Open {
  readonly session: Session;
  readonly stream: PassThrough;
}

/** The times are for tests. */
export function openEvents(deps: Deps, { heartbeatMs = HEARTBEAT_MS, checkMs = CHECK_MS } = {}): Events {
  const couples = new Map<CoupleId, Set<Open>>();
  const every = (work: (open: Open) => void) => {
    for (const streams of couples.values()) for (const open of streams) work(open);
  };
  const heartbeat = setInterval(() => every(({ stream }) => send(stream, ':\n\n')), heartbeatMs);
  const check = setInterval(() => every((open) => void endIfOver(deps, open)), checkMs);
  heartbeat.unref();
  check.unref();
  const offGap = deps.live.onGap(() => every(({ stream }) => send(stream, 'event: resync\ndata: {}\n\n')));
  let closed = false;

  return {
    open: (session) => {
      const stream = new PassThrough();
      if (closed) stream.end();
      const open = { session, stream };
      const streams = couples.get(session.coupleId) ?? new Set<Open>();
      couples.set(session.coupleId, streams.add(open));
      // The oldest goes: it is the likeliest to be dead, and whoever lives comes back by itself.
      if (streams.size > STREAMS_PER_COUPLE) [...streams][0]?.stream.end();
      const off = deps.live.listen(session.coupleId, (change) => send(stream, changeEvent(change)));
      stream.on('close', () => {
        off();
        streams.delete(open);
        if (streams.size === 0) couples.delete(session.coupleId);
      });
      stream.on('error', () => undefined);
      send(stream, `retry: ${RETRY_MS}\n\n`);
      return new StreamAnswer(stream, 200, EVENT_STREAM);
    },
    end: (userId, which) =>
      every(({ session, stream }) => {
        const meant = 'session' in which ? session.sessionId === which.session : session.sessionId !== which.except;
        if (session.userId === userId && meant) stream.end();
      }),
    close: () => {
      closed = true;
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

/** Ends the stream of a session that was ended elsewhere or by its age. A database out of reach ends it too. */
async function endIfOver({ db, now }: Deps, { session, stream }: Open): Promise<void> {
  try {
    const row = await sessionById(db.read, session.coupleId, session.userId, session.sessionId);
    if (row === undefined || now() >= sessionEnd(row)) stream.end();
  } catch {
    stream.end();
  }
}
