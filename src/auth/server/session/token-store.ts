import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { prepareQuery } from '../../../base/server/db/prepare-query.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { FOUND_SESSION, type FoundSession, type SessionRow } from './session-store.ts';

export type TokenSession = FoundSession & { readonly expiresAt: number };

/** Finds the session of a bearer token by the token's hash, with the token's expiry. Both may have expired. */
export async function findSessionByToken(reader: Reader, tokenHash: string): Promise<TokenSession | undefined> {
  return (await sessionsByToken(reader, { tokenHash }))[0];
}

const sessionsByToken = prepareQuery<{ readonly tokenHash: string }, TokenSession>((reader, value) =>
  reader
    .selectFrom('sessionTokens as token')
    .innerJoin('sessions as session', (join) =>
      join
        .onRef('session.coupleId', '=', 'token.coupleId')
        .onRef('session.userId', '=', 'token.userId')
        .onRef('session.id', '=', 'token.sessionId'),
    )
    .innerJoin('couples as couple', 'couple.id', 'token.coupleId')
    .select([...FOUND_SESSION, 'token.expiresAt'])
    .where('token.tokenHash', '=', value('tokenHash')),
);

/**
 * Issues a bearer token for a session that this transaction has locked or created. It deletes the session's expired
 * tokens, and the oldest ones beyond the limit: their tabs renew.
 * @returns the token, which is stored only as a hash
 */
export async function issueToken(tx: Writer, session: SessionRow, now: number): Promise<string> {
  const token = newSecret(256);
  const { coupleId, userId, id: sessionId } = session;
  const newest = tx
    .selectFrom('sessionTokens')
    .select('tokenHash')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('expiresAt', '>', now)
    .orderBy('expiresAt', 'desc')
    .limit(authLimits.tokens - 1);
  await tx
    .deleteFrom('sessionTokens')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('tokenHash', 'not in', newest)
    .execute();
  const row = { coupleId, userId, sessionId, tokenHash: hashOfSecret(token), expiresAt: now + authLimits.token };
  await tx.insertInto('sessionTokens').values(row).execute();
  return token;
}
