import type { Db } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import type { SessionRow } from './session-store.ts';
import { sessionById } from './session-store.ts';
import type { TokenSession } from './token-store.ts';

/** How many a node holds at most; the oldest is dropped, and its page renews. */
const AT_MOST = 1_000;

const nodes = new WeakMap<Db, Map<string, TokenSession>>();

/**
 * Issues a bearer token that only this node knows, for when the disk is full: reading must go on then, also after a
 * reload. On another node the page renews again.
 */
export function issueUnstored(db: Db, session: SessionRow, now: number): string {
  const tokens = nodes.get(db) ?? new Map<string, TokenSession>();
  nodes.set(db, tokens);
  const token = newSecret(256);
  tokens.set(hashOfSecret(token), { ...session, expiresAt: now + authLimits.token });
  const [oldest] = tokens.keys();
  if (tokens.size > AT_MOST && oldest !== undefined) tokens.delete(oldest);
  return token;
}

/** The session of such a token as the database has it now, so that it ends with its session. */
export async function findUnstored(db: Db, tokenHash: string): Promise<TokenSession | undefined> {
  const known = nodes.get(db)?.get(tokenHash);
  const session = known && (await sessionById(db.read, known.coupleId, known.userId, known.id));
  return session && { ...session, expiresAt: known.expiresAt };
}
