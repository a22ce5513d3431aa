import { Refusal } from '../../../base/refusal.ts';
import type { RouteSteps } from '../../../base/server/calls/route-types.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { insertMail, timesOfMails } from '../../../base/server/mail/mail-queue.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { lockCouple } from '../couple/couple-store.ts';
import { type CodeRow, findUnusedCode } from '../one-time-code-store.ts';
import { hashOfSecret } from '../secrets.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { mailWait, throwIfTooManyMails } from './mail-limit.ts';

const NAME = 'POST /api/auth/invitations/{code}/mail';

/** Sends an invitation of the user's couple by mail. @param assertMailOn throws where users get no mail */
export function mailInvitation(
  { deps: { db } }: AuthServices,
  assertMailOn: () => void,
): RouteSteps<typeof NAME, (typeof authCalls)[typeof NAME]> {
  return {
    checkEarly: async ({ params, session, now }) => {
      assertMailOn();
      await findInvitation(db.read, session, params.code, now);
    },
    handle: async ({ params, body, session, now }) => {
      const { coupleId } = session;
      await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        await assertSignedIn(tx, session);
        const { id } = await findInvitation(tx, session, params.code, now);
        const sent = await timesOfMails(tx, { coupleId }, 'invitation', now);
        throwIfTooManyMails(mailWait(sent, authLimits.invitationMails, now));
        await insertMail(tx, { kind: 'invitation', address: body.email, about: id, user: session }, now);
      });
      return null;
    },
  };
}

/** @throws Refusal 404, also for the code of another couple */
async function findInvitation(
  reader: Reader,
  { coupleId }: Pick<CodeRow, 'coupleId'>,
  code: string,
  now: number,
): Promise<CodeRow> {
  const invitation = await findUnusedCode(reader, 'invitation', hashOfSecret(code), now);
  if (invitation?.coupleId === coupleId) return invitation;
  throw new Refusal(404, 'This invitation is invalid, used or expired. Create a new one.');
}
