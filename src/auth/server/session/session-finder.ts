import { memoizeUntilCommit } from '../../../base/server/db/memoize-until-commit.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { sessionEnd } from '../../rules.ts';
import { hashOfSecret } from '../secrets.ts';
import { type FoundSession, findSessionByCookie } from './session-store.ts';
import { findSessionByToken } from './token-store.ts';
import { findNodeToken } from './tokens-of-one-node.ts';

/** Sessions cached between two commits, for each carrier. */
const MAX_CACHED_SESSIONS = 1_000;

type Find = (secret: string | null) => Promise<FoundSession | null>;

/** Finds the active session of a bearer token or of a cookie, or null. Neither secret works in place of the other. */
export function createSessionFinder({ db, now }: Pick<Deps, 'db' | 'now'>): {
  readonly byToken: Find;
  readonly byCookie: Find;
} {
  const ofToken = memoizeUntilCommit(db, MAX_CACHED_SESSIONS, (hash) => findSessionByToken(db.read, hash));
  const ofCookie = memoizeUntilCommit(db, MAX_CACHED_SESSIONS, (hash) => findSessionByCookie(db.read, hash));
  const live = (session: FoundSession | undefined) =>
    session !== undefined && now() < sessionEnd(session) ? session : null;
  return {
    byToken: async (token) => {
      if (token === null) return null;
      const hash = hashOfSecret(token);
      const found = (await ofToken(hash)) ?? (await findNodeToken(db, hash));
      return found !== undefined && now() < found.expiresAt ? live(found) : null;
    },
    byCookie: async (secret) => (secret === null ? null : live(await ofCookie(hashOfSecret(secret)))),
  };
}
