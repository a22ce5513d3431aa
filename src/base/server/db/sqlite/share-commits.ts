import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { collectCallbacks, runAfterCommit } from '../after-commit.ts';
import type { Writer } from '../db.ts';
import type { Tables } from '../tables/tables.ts';

/** The most transactions that share a commit, so that the first doesn't wait long for the last. */
const MAX_MEMBERS = 32;

/** The connection whose transactions share commits. */
export interface SharedConnection {
  readonly kysely: Kysely<Tables>;
  /** Whether a transaction is open. SQLite ends it by itself after some errors, for instance on a full disk. */
  readonly inTransaction: () => boolean;
  /** Runs work when no other connection of this process writes. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** A transaction that waits, and how its caller learns of its end. */
interface Waiting {
  readonly work: (tx: Writer) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that runs a transaction. Those that arrive at about the same time share one commit, and so one flush
 * of the disk. Each has its own savepoint: an error undoes only its own changes. Before the shared commit is on disk, no
 * caller learns of a success or a failure, and no callback after the commit runs. If the commit fails, each transaction
 * runs again alone, which it may: it changes nothing but the database (decision 47).
 */
export function shareCommits(connection: SharedConnection): <T>(work: (tx: Writer) => Promise<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  let isScheduled = false;
  const runAll = async () => {
    while (waiting.length > 0) await runGroup(connection, waiting);
    isScheduled = false;
  };
  return <T>(work: (tx: Writer) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (result: unknown) => void, reject });
      if (isScheduled) return;
      isScheduled = true;
      void connection.inTurn(runAll);
    });
}

/** Runs the waiting transactions, and those that arrive meanwhile, with one commit. Never throws. */
async function runGroup({ kysely, inTransaction }: SharedConnection, waiting: Waiting[]): Promise<void> {
  const members: Waiting[] = [];
  const finishes: (() => void)[] = [];
  try {
    await kysely.transaction().execute(async (shared) => {
      while (waiting.length > 0 && members.length < MAX_MEMBERS) {
        const member = waiting.shift() as Waiting;
        members.push(member);
        finishes.push(await runMember(shared, member, inTransaction));
        // Requests that have arrived meanwhile can join. Without them, this costs one turn of the event loop.
        if (waiting.length === 0) await nextTurn();
      }
    });
  } catch (error) {
    // If the transaction couldn't begin, none of those that wait has run: another process may hold the lock for long.
    if (members.length === 0) for (const member of waiting.splice(0)) member.reject(error);
    else if (members.length === 1) members[0]?.reject(error);
    else for (const member of members) await runAlone(kysely, member);
    return;
  }
  for (const finish of finishes) finish();
}

/**
 * Runs a transaction inside the group's.
 * @returns a function that reports the end to its caller, to call after the commit
 * @throws the error with which SQLite has undone the whole group
 */
async function runMember(
  shared: Writer,
  { work, resolve, reject }: Waiting,
  inTransaction: () => boolean,
): Promise<() => void> {
  // An object of its own, to which its callbacks belong.
  const tx = shared.withoutPlugins();
  const runCallbacks = collectCallbacks(tx);
  await sql`savepoint member`.execute(shared);
  try {
    const result = await work(tx);
    await sql`release member`.execute(shared);
    return () => {
      try {
        runCallbacks();
        resolve(result);
      } catch (error) {
        reject(error);
      }
    };
  } catch (error) {
    if (!inTransaction()) throw error;
    await sql`rollback to member`.execute(shared);
    await sql`release member`.execute(shared);
    return () => reject(error);
  }
}

async function runAlone(kysely: Kysely<Tables>, { work, resolve, reject }: Waiting): Promise<void> {
  await runAfterCommit((run) => kysely.transaction().execute(run), work).then(resolve, reject);
}
