import type { Db } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import type { SessionRow } from './session-store.ts';
import { sessionById } from './session-store.ts';
import type { TokenSession } from './token-store.ts';

/** How many tokens a node holds. Beyond that the oldest is dropped, and its page renews. */
const MAX_TOKENS = 1_000;

type NodeToken = SessionRow & Pick<TokenSession, 'expiresAt'>;

const tokensOfNodes = new WeakMap<Db, Map<string, NodeToken>>();

/**
 * Issues a bearer token that only this process knows. Used when the disk is full, so that reading still works
 * after a reload. On another node the page renews again.
 */
export function issueNodeToken(db: Db, session: SessionRow, now: number): string {
  const tokens = tokensOfNodes.get(db) ?? new Map<string, NodeToken>();
  tokensOfNodes.set(db, tokens);
  const token = newSecret(256);
  tokens.set(hashOfSecret(token), { ...session, expiresAt: now + authLimits.token });
  const [oldest] = tokens.keys();
  if (tokens.size > MAX_TOKENS && oldest !== undefined) tokens.delete(oldest);
  return token;
}

/** Finds the session of a token that only this process knows. It reads the session from the database, so a token ends with its session. */
export async function findNodeToken(db: Db, tokenHash: string): Promise<TokenSession | undefined> {
  const known = tokensOfNodes.get(db)?.get(tokenHash);
  const session = known && (await sessionById(db.read, known.coupleId, known.userId, known.id));
  return session && { ...session, expiresAt: known.expiresAt };
}
