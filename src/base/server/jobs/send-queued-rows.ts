import PQueue from 'p-queue';
import { HOUR, MINUTE } from '../../durations.ts';
import type { Reader, Writer } from '../db/db.ts';
import { readInBatches } from '../db/read-in-batches.ts';
import type { Deps } from '../deps.ts';

/** How long a node holds a row that it sends: much longer than sending takes. The hold of a dead node ends by itself. */
const HOLD_MS = 2 * MINUTE;
const AT_ONCE = 6;
/** The longest pause between two tries. */
const MAX_PAUSE_MS = 4 * HOUR;

/** The state of a row that is sent once. Times are in milliseconds. */
export interface QueueState {
  /** Until when it rests after a failure, or a node is sending it. */
  readonly heldUntil: number;
  /** How often sending it has begun. */
  readonly tries: number;
  /** When it was sent, or no longer wanted; null while it waits. */
  readonly doneAt: number | null;
}

/** A table of rows that are each sent once, by one of the nodes. */
export interface Queue<Row extends QueueState> {
  /** What a row is, for the log: 'a reminder'. */
  readonly what: string;
  /** Reads the rows that wait and are not held, of all couples, in a fixed order that an index serves. */
  readonly pending: (reader: Reader, now: number, after: Row | null, limit: number) => Promise<readonly Row[]>;
  /**
   * Changes a row that waits.
   * @param freeAt only if no node holds it then
   * @returns whether it did
   */
  readonly update: (tx: Writer, row: Row, changes: Partial<QueueState>, freeAt?: number) => Promise<boolean>;
  /** Whether a row that could not be sent is worth another try. */
  readonly mayRetry: (row: Row, retryAt: number) => boolean;
}

/** What became of a row. */
export interface SendOutcome {
  /** Whether to try it again after a pause, which grows with each try. */
  readonly retry: boolean;
  /** Saves more, in the transaction that saves this. */
  readonly save?: (tx: Writer) => Promise<void>;
}

/**
 * Sends the rows of a queue that wait, until none is left. A row is claimed before it is sent, so that several nodes send
 * it once; if its node dies, another one tries it again. A row whose node dies between sending it and saving that is sent
 * twice.
 * @param send sends one row. If it throws, the row is tried again
 */
export async function sendQueuedRows<Row extends QueueState>(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  queue: Queue<Row>,
  send: (row: Row) => Promise<SendOutcome>,
  mayContinue: () => boolean,
): Promise<void> {
  const at = deps.now();
  for await (const rows of readInBatches<Row>((...page) => queue.pending(deps.db.read, at, ...page))) {
    if (!mayContinue()) return;
    const turns = new PQueue({ concurrency: AT_ONCE });
    for (const row of rows) {
      void turns
        .add(async () => (mayContinue() ? sendOne(deps, queue, send, row) : undefined))
        .catch((error: unknown) => deps.log.error({ err: error }, `${queue.what} could not be sent`));
    }
    await turns.onIdle();
  }
}

async function sendOne<Row extends QueueState>(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  queue: Queue<Row>,
  send: (row: Row) => Promise<SendOutcome>,
  row: Row,
): Promise<void> {
  const at = now();
  const hold = { heldUntil: at + HOLD_MS, tries: row.tries + 1 };
  if (!(await db.write((tx) => queue.update(tx, row, hold, at)))) return;
  const { retry, save } = await send(row).catch((error: unknown): SendOutcome => {
    // It counts as a try, so that a row that always fails doesn't stay.
    log.error({ err: error }, `${queue.what} could not be prepared`);
    return { retry: true };
  });
  const retryAt = now() + Math.min(2 ** row.tries * MINUTE, MAX_PAUSE_MS);
  const next = retry && queue.mayRetry(row, retryAt) ? { heldUntil: retryAt } : { doneAt: now() };
  await db.write(async (tx) => {
    await save?.(tx);
    // Even if this node was paused and another one holds the row now: what is sent must not be sent again.
    await queue.update(tx, row, next);
  });
}
