import type { Db } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import type { SessionRow } from './session-store.ts';
import { sessionById } from './session-store.ts';
import type { TokenSession } from './token-store.ts';

/** Tokens that one node holds. Beyond that the oldest is dropped, and its page renews. */
const MAX_TOKENS = 1_000;

type MemoryToken = SessionRow & Pick<TokenSession, 'expiresAt'>;

const nodes = new WeakMap<Db, Map<string, MemoryToken>>();

/**
 * Issues a bearer token that is held in this node's memory. Used when the disk is full, so that reading still works
 * after a reload. On another node the page renews again.
 */
export function issueMemoryToken(db: Db, session: SessionRow, now: number): string {
  const tokens = nodes.get(db) ?? new Map<string, MemoryToken>();
  nodes.set(db, tokens);
  const token = newSecret(256);
  tokens.set(hashOfSecret(token), { ...session, expiresAt: now + authLimits.token });
  const [oldest] = tokens.keys();
  if (tokens.size > MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
  return token;
}

/** Finds the session of an in-memory token. It reads the session from the database, so a token ends with its session. */
export async function findMemoryToken(db: Db, tokenHash: string): Promise<TokenSession | undefined> {
  const known = nodes.get(db)?.get(tokenHash);
  const session = known && (await sessionById(db.read, known.coupleId, known.userId, known.id));
  return session && { ...session, expiresAt: known.expiresAt };
}
