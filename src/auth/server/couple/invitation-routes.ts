import { Refusal } from '../../../base/refusal.ts';
import type { CodesTable } from '../../../base/server/db/tables.ts';
import type { Routes } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import type { CodeRow } from '../code-store.ts';
import { findUsableCode, issueCode, redeemCode } from '../code-store.ts';
import { endAccess } from '../end-access.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { deletePasskeys } from '../passkeys/passkey-store.ts';
import { hashOfSecret } from '../secrets.ts';
import type { AuthServices } from '../session/sessions.ts';
import { assertSignedIn, openSession, signedInReply } from '../session/sessions.ts';
import { announceCouple } from '../settings/profile-routes.ts';
import { countEmail, emailTaken } from '../sign-in/account-routes.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { getAccount, insertUser, lockCouple, partnersOf, readUser, updatePassword } from '../store.ts';

/** Routes for the links that one partner makes for the other: to join, and to set a new password (contract 2). */
export function invitationRoutes(auth: AuthServices) {
  const { deps, rateLimits, events } = auth;
  const { db, config } = deps;

  /** Looks up the code of a link. @throws 404 if it is wrong, used or expired, counted as a failed attempt of the address */
  const lookUpCode = (kind: CodesTable['kind'], code: string, address: string): Promise<CodeRow> =>
    rateLimits.attempt(
      { address },
      async () => (await findUsableCode(db.read, kind, hashOfSecret(code), deps.now())) ?? null,
      invalidCode(kind),
    );

  return {
    'POST /api/auth/invitations': async ({ request, session, now }) => {
      const { coupleId, userId } = session;
      const { code, expiresAt } = await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        await assertSignedIn(tx, session);
        if ((await partnersOf(tx, coupleId)).length >= authLimits.partners) throw coupleIsFull();
        const invitation = { kind: 'invitation', createdBy: userId, forUser: null } as const;
        return issueCode(tx, coupleId, { ...invitation, bits: 128, lifetime: authLimits.invitation }, now);
      });
      return { code, url: ownOrigin(config, request) + paths.join(code), expiresAt: formatInstant(expiresAt) };
    },

    'GET /api/auth/invitations/{code}': async ({ request, params }) => {
      const { coupleId, createdBy, expiresAt } = await lookUpCode('invitation', params.code, request.ip);
      const { displayName } = await readUser(db.read, coupleId, createdBy);
      return { inviterName: displayName, expiresAt: formatInstant(expiresAt) };
    },

    'POST /api/auth/join': {
      find: async ({ request }) => assertOwnOrigin(config, request),
      checkReferences: async ({ request }, raw) => {
        const code = typeof raw === 'object' && raw !== null && 'code' in raw ? raw.code : null;
        if (typeof code === 'string') await lookUpCode('invitation', code, request.ip);
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        await countEmail(auth, request);
        const codeHash = hashOfSecret(body.code);
        const passwordHash = await hashPassword(body.password, deps.passwordCost);
        const session = await db.write(async (tx) => {
          const invitation = await findUsableCode(tx, 'invitation', codeHash, now);
          if (!invitation) throw invalidCode('invitation');
          const { coupleId } = invitation;
          await lockCouple(tx, coupleId);
          if (!(await redeemCode(tx, coupleId, invitation.id, now))) throw invalidCode('invitation');
          if ((await partnersOf(tx, coupleId)).length >= authLimits.partners) throw coupleIsFull();
          const userId = await insertUser(tx, coupleId, { email, displayName, passwordHash }, now);
          if (userId === null) throw emailTaken();
          await announceCouple(deps, tx, coupleId, userId);
          return openSession(tx, { coupleId, userId }, request, now);
        });
        return signedInReply(deps, request, session);
      },
    },

    'POST /api/auth/recovery': async ({ request, session, now }) => {
      const { coupleId, userId } = session;
      const { code, expiresAt } = await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        const forUser = (await partnersOf(tx, coupleId)).find((id) => id !== userId);
        if (forUser === undefined) throw new Refusal(409, 'You have no partner here yet.');
        const recovery = { kind: 'recovery', createdBy: userId, forUser } as const;
        return issueCode(tx, coupleId, { ...recovery, bits: 128, lifetime: authLimits.recovery }, now);
      });
      return { url: ownOrigin(config, request) + paths.recover(code), expiresAt: formatInstant(expiresAt) };
    },

    'POST /api/auth/recovery/{code}': {
      find: async ({ request, params }) => {
        assertOwnOrigin(config, request);
        await lookUpCode('recovery', params.code, request.ip);
      },
      handle: async ({ params, body, now }) => {
        const codeHash = hashOfSecret(params.code);
        const passwordHash = await hashPassword(body.newPassword, deps.passwordCost);
        const account = await db.write(async (tx) => {
          const recovery = await findUsableCode(tx, 'recovery', codeHash, now);
          if (!recovery || recovery.forUser === null) throw invalidCode('recovery');
          const { coupleId, forUser } = recovery;
          if (!(await redeemCode(tx, coupleId, recovery.id, now))) throw invalidCode('recovery');
          await updatePassword(tx, coupleId, forUser, passwordHash);
          await endAccess(tx, coupleId, forUser, null);
          // The user may have lost the device that holds the passkeys.
          await deletePasskeys(tx, coupleId, forUser);
          return getAccount(tx, coupleId, forUser);
        });
        await rateLimits.clear(account.emailKey);
        events.end(account.id, { except: null });
        return null;
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

function invalidCode(kind: CodesTable['kind']): Refusal {
  const what = kind === 'invitation' ? 'This invitation' : 'This link';
  return new Refusal(404, `${what} is invalid, used or expired. Ask for a new one.`);
}

function coupleIsFull(): Refusal {
  return new Refusal(409, 'This album already has two partners.');
}
