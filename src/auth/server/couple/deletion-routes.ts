import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { Answer } from '../../../base/server/answer.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { DeletionsTable } from '../../../base/server/db/tables.ts';
import type { Routes } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import type { authCalls, Deletion } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import { clearedCookie } from '../session/cookie.ts';
import type { Auth } from '../session/sessions.ts';
import { announceCouple, assertOwnPassword, wrongPassword } from '../settings/profile-routes.ts';
import { lockAccount, lockCouple, partnersOf, readUser } from '../store.ts';
import { deleteCouple, deleteDeletion, deleteUser, insertDeletion, readDeletion } from './deletion-store.ts';

/** Leaving the couple, and deleting all that is of it: by both, or by one after thirty days that the other sees. */
export function leavingRoutes(auth: Auth) {
  const { deps, events, setup, eraser } = auth;
  const { db, config } = deps;
  return {
    'POST /api/auth/leave': async ({ request, body, session }) => {
      const { coupleId, userId } = session;
      const { passwordHash } = await assertOwnPassword(auth, request, session, body.currentPassword);
      await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongPassword();
        if ((await partnersOf(tx, coupleId)).length < authLimits.partners) throw alone();
        await deleteUser(tx, coupleId, userId);
        await announceCouple(deps, tx, coupleId, userId);
      });
      events.end(userId, { except: null });
      return new Answer(null, {
        headers: { 'set-cookie': clearedCookie(config, request), 'clear-site-data': '"cache"' },
      });
    },

    'GET /api/couple/deletion': async ({ session: { coupleId } }) => {
      const wish = await readDeletion(db.read, coupleId);
      return wish === undefined ? null : tell(db.read, coupleId, wish);
    },

    'POST /api/couple/deletion': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      const { passwordHash } = await assertOwnPassword(auth, request, session, body.currentPassword);
      const { wish, partners } = await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongPassword();
        const partners = await partnersOf(tx, coupleId);
        const there = await readDeletion(tx, coupleId);
        if (there === undefined) {
          const made = { askedBy: userId, askedAt: now, dueAt: now + authLimits.deletionNotice };
          await insertDeletion(tx, coupleId, made);
          await announceCouple(deps, tx, coupleId, userId);
          return { wish: { coupleId, ...made }, partners };
        }
        if (there.askedBy === userId) return { wish: there, partners };
        await deleteCouple(tx, coupleId, now);
        await announceCouple(deps, tx, coupleId, userId);
        return { wish: null, partners };
      });
      if (wish !== null) return tell(db.read, coupleId, wish);
      for (const partner of partners) events.end(partner, { except: null });
      eraser.wake();
      // They may have been the last couple.
      await setup.print();
      return null;
    },

    'DELETE /api/couple/deletion': async ({ session: { coupleId, userId } }) => {
      const wish = await readDeletion(db.read, coupleId);
      if (wish === undefined) throw new Refusal(404, 'Nobody has asked to delete our space.');
      await db.write(async (tx) => {
        if (!(await deleteDeletion(tx, coupleId, userId))) {
          throw new Refusal(409, 'Only who asked to delete our space can take it back.');
        }
        await announceCouple(deps, tx, coupleId, userId);
      });
      return null;
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

async function tell(reader: Reader, coupleId: CoupleId, wish: DeletionsTable): Promise<Deletion> {
  const { id, displayName } = await readUser(reader, coupleId, wish.askedBy);
  return {
    askedBy: { id, displayName },
    askedAt: formatInstant(wish.askedAt),
    dueAt: formatInstant(wish.dueAt),
  };
}

function alone(): Refusal {
  return new Refusal(409, 'You are alone here, and nobody would keep what is ours. You can delete the whole space.');
}
