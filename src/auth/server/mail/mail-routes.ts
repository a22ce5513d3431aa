import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import { dropMailsTo, insertMail } from '../../../base/server/mail/mail-queue.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import type { authCalls } from '../../contract.ts';
import type { mailCallsFor } from '../../mail-contract.ts';
import { authLimits, emailKey } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { assertOwnOrigin } from '../origin.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { readUser } from '../user-store.ts';
import { askToConfirmEmail } from './ask-to-confirm-email.ts';
import { confirmEmail } from './confirm-email.ts';
import { mailInvitation } from './mail-invitation.ts';
import { throwIfTooManyMails } from './mail-limit.ts';
import { stopRecovery } from './stop-recovery.ts';

/** Routes for the mails to users, and for the links in them. */
export function mailRoutes(auth: AuthServices) {
  const { deps, rateLimits } = auth;
  const { db, config } = deps;

  /** @throws Refusal 404 */
  const assertMailOn = () => {
    if (!isMailOn(config)) throw new Refusal(404, 'This server sends no mail.');
  };

  return {
    'POST /api/auth/recovery-mail': {
      checkEarly: async ({ request }) => {
        assertOwnOrigin(config, request);
        assertMailOn();
      },
      // Whether there is such an account is looked up when the mail is written, so that no answer takes longer for one.
      handle: async ({ request, body, now }) => {
        const address = emailKey(body.email);
        await rateLimits.count('recovery mail', request.ip, authLimits.tries);
        await db.write(async (tx) => {
          if (!(await rateLimits.countForAccount(tx, 'recovery mail', address, authLimits.recoveryMails))) return;
          await dropMailsTo(tx, address, 'recovery', now);
          await insertMail(tx, { kind: 'recovery', address, user: null }, now);
        });
        return null;
      },
    },

    'POST /api/auth/email-mail': {
      checkEarly: async () => assertMailOn(),
      handle: async ({ session }) => {
        const wait = await db.write(async (tx) => {
          await assertSignedIn(tx, session);
          if ((await readUser(tx, config, session.coupleId, session.userId)).emailVerified) {
            throw new Refusal(409, 'This email is already confirmed.');
          }
          return askToConfirmEmail(deps, tx, session);
        });
        throwIfTooManyMails(wait);
        return null;
      },
    },

    'POST /api/auth/invitations/{code}/mail': mailInvitation(auth, assertMailOn),

    'POST /api/auth/email/{code}': {
      checkEarly: async ({ request }) => {
        assertOwnOrigin(config, request);
        assertMailOn();
      },
      handle: confirmEmail(auth),
    },

    'DELETE /api/auth/recovery/{stopCode}': {
      checkEarly: async ({ request }) => {
        assertOwnOrigin(config, request);
        assertMailOn();
      },
      handle: stopRecovery(auth),
    },
  } satisfies Pick<Routes<typeof authCalls>, keyof ReturnType<typeof mailCallsFor>>;
}
