import { uuidv7 } from 'uuidv7';
import { insertCouple } from '../../src/auth/server/couple/couple-store.ts';
import { hashOfSecret, newSecret } from '../../src/auth/server/secrets.ts';
import { insertSession } from '../../src/auth/server/session/session-store.ts';
import { issueToken } from '../../src/auth/server/session/token-store.ts';
import { insertUser } from '../../src/auth/server/user-store.ts';
import type { UserId } from '../../src/base/ids.ts';
import type { Db, Writer } from '../../src/base/server/db/db.ts';

/** The bearer tokens of a couple's two partners. */
export type CoupleTokens = readonly [string, string];

/** Inserts couples with a session for each partner. They have no password, because hashing thousands takes minutes. */
export function fillCouples(db: Db, count: number): Promise<CoupleTokens[]> {
  return db.write(async (tx) => {
    const couples: CoupleTokens[] = [];
    for (let n = 0; n < count; n += 1) couples.push(await insertCoupleWithSessions(tx));
    return couples;
  });
}

async function insertCoupleWithSessions(tx: Writer): Promise<CoupleTokens> {
  const now = Date.now();
  const coupleId = await insertCouple(tx, 'Europe/Berlin', now);
  const signIn = async (displayName: string) => {
    const person = { email: `${uuidv7()}@example.org`, displayName, passwordHash: '' };
    const userId = (await insertUser(tx, coupleId, person, now)) as UserId;
    const session = { coupleId, userId, id: uuidv7(), createdAt: now, lastUsedAt: now };
    await insertSession(tx, coupleId, { ...session, secretHash: hashOfSecret(newSecret(256)), device: 'Bench' });
    return issueToken(tx, session, now);
  };
  return [await signIn('Ada'), await signIn('Ben')];
}
