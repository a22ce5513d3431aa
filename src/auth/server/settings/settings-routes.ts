import { invalidField } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { isUniqueViolation } from '../../../base/server/db/faults.ts';
import { dropMailsAbout } from '../../../base/server/mail/mail-queue.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import type { authCalls } from '../../contract.ts';
import { emailKey } from '../../rules.ts';
import { togetherSinceFault } from '../../together-since.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { confirmUser, wrongCurrentPassword } from '../confirm-user.ts';
import { readCouple, updateCouple } from '../couple/couple-store.ts';
import { endAccess } from '../end-access.ts';
import { askToConfirmEmail } from '../mail/ask-to-confirm-email.ts';
import { aboutRemoved, tellByMail } from '../mail/tell-by-mail.ts';
import { deleteCodes } from '../one-time-code-store.ts';
import { deletePasskeys } from '../passkeys/passkey-store.ts';
import { partnerRecoveries } from '../recovery/recovery-store.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { countEmail, emailTaken } from '../sign-in/taken-email.ts';
import { getAccount, lockAccount, readUser, updatePassword, updateUser } from '../user-store.ts';

/** Routes for the user's name, e-mail and password, and the couple's shared settings (accounts.settings.1). */
export function settingsRoutes(auth: AuthServices) {
  const { deps, events } = auth;
  const { db, config } = deps;

  /** Mails to a new address the link that confirms it. The old address gets a mail, and its links end. */
  const moveMail = async (tx: Writer, user: Session, oldEmail: string, now: number): Promise<void> => {
    for (const kind of ['email', 'mailedRecovery'] as const) {
      await deleteCodes(tx, user.coupleId, { kind, forUser: user.userId });
    }
    await dropMailsAbout(tx, user, 'email', now);
    await askToConfirmEmail(deps, tx, user);
    await tellByMail(deps, tx, user, 'newEmail', null, oldEmail);
  };

  return {
    'PUT /api/auth/profile': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      const { displayName, email, formats } = body;
      const before = await readUser(db.read, config, coupleId, userId);
      const isNew = email !== null && emailKey(email) !== emailKey(before.email);
      const changes: Parameters<typeof updateUser>[3] = {
        ...(displayName ? { displayName } : {}),
        ...(email === null ? {} : { email }),
        ...(formats ? { formats } : {}),
      };
      const account = isNew && isMailOn(config) ? await confirmUser(auth, request, session, body) : null;
      if (isNew) await countEmail(auth, request);
      await db
        .write(async (tx) => {
          await assertSignedIn(tx, session);
          if (account && !(await lockAccount(tx, coupleId, userId, account.passwordHash))) throw wrongCurrentPassword();
          const { emailKey: current } = await getAccount(tx, coupleId, userId);
          // Another device has changed it meanwhile: this form has only sent what it showed.
          if (!isNew && email !== null && emailKey(email) !== current) delete changes.email;
          if (Object.keys(changes).length === 0) return;
          await updateUser(tx, coupleId, userId, changes);
          if (isNew) await moveMail(tx, session, before.email, now);
          await announceCouple(deps, tx, coupleId, userId);
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? emailTaken() : error;
        });
      return readUser(db.read, deps.config, coupleId, userId);
    },

    'PUT /api/auth/password': async ({ request, body, session, now }) => {
      const { coupleId, userId, sessionId } = session;
      const { passwordHash } = await confirmUser(auth, request, session, body);
      const newHash = await hashPassword(body.newPassword, deps.passwordCost);
      await db.write(async (tx) => {
        if (!(await lockAccount(tx, coupleId, userId, passwordHash))) throw wrongCurrentPassword();
        const hadLinks = (await partnerRecoveries(tx, coupleId, now)).length > 0;
        await updatePassword(tx, coupleId, userId, newHash);
        await endAccess(tx, coupleId, userId, sessionId, now);
        const removed = body.removePasskeys === true && (await deletePasskeys(tx, coupleId, userId)) > 0;
        await tellByMail(deps, tx, session, 'newPassword', aboutRemoved({ passkeys: removed, provider: false }));
        if (hadLinks) await announceCouple(deps, tx, coupleId, userId);
      });
      events.end(userId, { except: sessionId });
      return null;
    },

    'PUT /api/couple': async ({ body: { togetherSince, timeZone }, session: { coupleId, userId } }) => {
      const fault = togetherSince ? togetherSinceFault(togetherSince, deps.now()) : undefined;
      if (fault !== undefined) throw invalidField('togetherSince', fault);
      await db.write(async (tx) => {
        await updateCouple(tx, coupleId, {
          ...(togetherSince === undefined ? {} : { togetherSince }),
          ...(timeZone === null ? {} : { timeZone }),
        });
        await announceCouple(deps, tx, coupleId, userId);
      });
      return readCouple(db.read, coupleId);
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}
