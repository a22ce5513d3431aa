import type { FastifyRequest } from 'fastify';
import type { CoupleId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import { Answer } from '../../../base/server/calls/answer.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { DeletionsTable } from '../../../base/server/db/tables/tables.ts';
import { CLEAR_CACHE } from '../../../base/server/http/send-problem.ts';
import type { authCalls, Deletion } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { confirmUser, wrongCurrentPassword } from '../confirm-user.ts';
import { clearedCookie } from '../session/session-cookie.ts';
import { getAccount, lockAccount, partnersOf } from '../user-store.ts';
import { lockCouple } from './couple-store.ts';
import { deleteCouple, deleteDeletion, deleteUser, insertDeletion, readDeletion } from './deletion-store.ts';

/** Routes to leave the couple, and to delete the space: at once if both agree, or 30 days after one asks. */
export function leaveAndDeleteRoutes(services: AuthServices) {
  const { deps, events, setup, eraser, keepForPartner } = services;
  const { db } = deps;
  /** The reply to a user who has no account any more: it clears the cookie, and the photographs in the browser's cache. */
  const goodbye = (request: FastifyRequest) =>
    new Answer(null, { headers: { 'set-cookie': clearedCookie(deps, request), 'clear-site-data': CLEAR_CACHE } });
  return {
    'POST /api/auth/leave': async ({ request, body, session }) => {
      const { coupleId, userId } = session;
      const { passwordHash } = await confirmUser(services, request, session, body);
      await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongCurrentPassword();
        if ((await partnersOf(tx, coupleId)).length < authLimits.partners) throw noPartner();
        await keepForPartner(tx, coupleId, userId);
        await deleteUser(tx, coupleId, userId);
        await announceCouple(deps, tx, coupleId, userId);
      });
      events.end(userId, { except: null });
      return goodbye(request);
    },

    'GET /api/couple/deletion': async ({ session: { coupleId } }) => {
      const pendingRequest = await readDeletion(db.read, coupleId);
      return pendingRequest === undefined ? null : toDeletion(db.read, coupleId, pendingRequest);
    },

    'POST /api/couple/deletion': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      const { passwordHash } = await confirmUser(services, request, session, body);
      const pendingRequest = await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongCurrentPassword();
        const pending = await readDeletion(tx, coupleId);
        if (pending === undefined) {
          const inserted = { askedBy: userId, askedAt: now, dueAt: now + authLimits.deletionNotice };
          await insertDeletion(tx, coupleId, inserted);
          await announceCouple(deps, tx, coupleId, userId);
          return { coupleId, ...inserted };
        }
        if (pending.askedBy === userId) return pending;
        await announceCouple(deps, tx, coupleId, userId, 'deleted');
        await deleteCouple(tx, coupleId, now);
        return null;
      });
      if (pendingRequest !== null) return toDeletion(db.read, coupleId, pendingRequest);
      eraser.wake();
      // If this was the last couple, the next registration needs a setup code.
      await setup.print();
      return goodbye(request);
    },

    'DELETE /api/couple/deletion': async ({ session: { coupleId, userId } }) => {
      const pendingRequest = await readDeletion(db.read, coupleId);
      if (pendingRequest === undefined) throw new Refusal(404, 'There is no request to delete our space.');
      await db.write(async (tx) => {
        if (!(await deleteDeletion(tx, coupleId, userId))) {
          throw new Refusal(409, 'Only the partner who asked to delete our space can take it back.');
        }
        await announceCouple(deps, tx, coupleId, userId);
      });
      return null;
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

async function toDeletion(reader: Reader, coupleId: CoupleId, pendingRequest: DeletionsTable): Promise<Deletion> {
  const { id, displayName } = await getAccount(reader, coupleId, pendingRequest.askedBy);
  return {
    askedBy: { id, displayName },
    askedAt: formatInstant(pendingRequest.askedAt),
    dueAt: formatInstant(pendingRequest.dueAt),
  };
}

function noPartner(): Refusal {
  return new Refusal(409, 'You have no partner here who would keep our album. You can delete the whole space instead.');
}
