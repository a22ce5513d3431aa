import type { Change } from '../../base/change.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { refuseField } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import type { authCalls } from '../contract.ts';
import { emailTaken } from './account-routes.ts';
import { voidCodes } from './code-store.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { deleteSessions } from './session-store.ts';
import type { Auth } from './sign-in.ts';
import {
  accountById,
  isTwice,
  lockAccount,
  readCouple,
  readUser,
  updateCouple,
  updatePassword,
  updateUser,
} from './store.ts';

/** Name, e-mail, password, and what the two of them share (contract 2). */
export function profileRoutes({ deps, tries, events }: Auth) {
  const { db } = deps;
  return {
    'PUT /api/auth/profile': async ({ body: { displayName, email }, session: { coupleId, userId } }) => {
      await db
        .write((tx) => updateUser(tx, coupleId, userId, { displayName, ...(email === null ? {} : { email }) }))
        .catch((error: unknown) => {
          throw isTwice(error) ? emailTaken() : error;
        });
      announceCouple(deps, coupleId, userId);
      return readUser(db.read, coupleId, userId);
    },

    'PUT /api/auth/password': async ({ request, body, session: { coupleId, userId, sessionId } }) => {
      const wrong = refuseField('currentPassword', 'This is not your current password.');
      const { emailKey, passwordHash } = await accountById(db.read, coupleId, userId);
      const guesser = { address: request.ip, account: emailKey, device: sessionId };
      await tries.guess(
        guesser,
        async () => ((await isPassword(body.currentPassword, passwordHash)) ? true : null),
        wrong,
      );
      const newHash = await hashPassword(body.newPassword);
      await db.write(async (tx) => {
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrong;
        await updatePassword(tx, coupleId, userId, newHash);
        await deleteSessions(tx, coupleId, userId, sessionId);
        await voidCodes(tx, coupleId, 'recovery', userId);
      });
      events.end(userId, { except: sessionId });
      return null;
    },

    'PUT /api/couple': async ({ body: { togetherSince, timeZone }, session: { coupleId, userId } }) => {
      await db.write((tx) =>
        updateCouple(tx, coupleId, {
          ...(togetherSince === undefined ? {} : { togetherSince }),
          ...(timeZone === null ? {} : { timeZone }),
        }),
      );
      announceCouple(deps, coupleId, userId);
      return readCouple(db.read, coupleId);
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

/** Names, dates and partners of the couple have changed: whoever shows them reads them again. */
export function announceCouple({ announce }: Pick<Deps, 'announce'>, coupleId: CoupleId, by: UserId): void {
  announce(coupleId, { entity: 'couple', id: coupleId, action: 'updated', by } satisfies Change);
}
