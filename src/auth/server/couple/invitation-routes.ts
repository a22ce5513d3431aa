import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../../base/refusal.ts';
import type { CodesTable } from '../../../base/server/db/tables.ts';
import type { Routes } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import type { CodeRow } from '../code-store.ts';
import { insertCode, usableCode, useCode } from '../code-store.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { deletePasskeys } from '../passkeys/passkey-store.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { deleteSessions } from '../session/session-store.ts';
import type { Auth } from '../session/sessions.ts';
import { openSession, signedIn } from '../session/sessions.ts';
import { announceCouple } from '../settings/profile-routes.ts';
import { emailTaken } from '../sign-in/account-routes.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { accountById, insertUser, lockCouple, partnersOf, readUser, updatePassword } from '../store.ts';

/** Links from one partner to the other: to join, and to set a forgotten password (contract 2). */
export function invitationRoutes(auth: Auth) {
  const { deps, tries, events } = auth;
  const { db, config } = deps;

  /** The code that somebody shows; a wrong, used or expired one is 404 and counts as a failure of the address. */
  const shown = (kind: CodesTable['kind'], code: string, address: string): Promise<CodeRow> =>
    tries.guess(
      { address },
      async () => (await usableCode(db.read, kind, hashOfSecret(code), deps.now())) ?? null,
      spent(kind),
    );

  return {
    'POST /api/auth/invitations': async ({ request, session: { coupleId, userId }, now }) => {
      const code = newSecret(128);
      const expiresAt = now + authLimits.invitation;
      await db.write(async (tx) => {
        await lockCouple(tx, coupleId);
        if ((await partnersOf(tx, coupleId)).length >= authLimits.partners) throw complete();
        const row = {
          id: uuidv7(),
          codeHash: hashOfSecret(code),
          createdBy: userId,
          forUser: null,
          createdAt: now,
          expiresAt,
        };
        await insertCode(tx, coupleId, { kind: 'invitation', ...row });
      });
      return { code, url: ownOrigin(config, request) + paths.join(code), expiresAt: formatInstant(expiresAt) };
    },

    'GET /api/auth/invitations/{code}': async ({ request, params }) => {
      const { coupleId, createdBy, expiresAt } = await shown('invitation', params.code, request.ip);
      const { displayName } = await readUser(db.read, coupleId, createdBy);
      return { inviterName: displayName, expiresAt: formatInstant(expiresAt) };
    },

    'POST /api/auth/join': {
      find: async ({ request }) => assertOwnOrigin(config, request),
      checkReferences: async ({ request }, raw) => {
        const code = typeof raw === 'object' && raw !== null && 'code' in raw ? raw.code : null;
        if (typeof code === 'string') await shown('invitation', code, request.ip);
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        const codeHash = hashOfSecret(body.code);
        const passwordHash = await hashPassword(body.password);
        const made = await db.write(async (tx) => {
          const invitation = await usableCode(tx, 'invitation', codeHash, now);
          if (!invitation) throw spent('invitation');
          const { coupleId } = invitation;
          await lockCouple(tx, coupleId);
          if (!(await useCode(tx, coupleId, invitation.id, now))) throw spent('invitation');
          if ((await partnersOf(tx, coupleId)).length >= authLimits.partners) throw complete();
          const userId = await insertUser(tx, coupleId, { email, displayName, passwordHash }, now);
          if (userId === null) throw emailTaken();
          await announceCouple(deps, tx, coupleId, userId);
          return openSession(tx, { coupleId, userId }, request, now);
        });
        return signedIn(deps, request, made);
      },
    },

    'POST /api/auth/recovery': async ({ request, session: { coupleId, userId }, now }) => {
      const code = newSecret(128);
      const expiresAt = now + authLimits.recovery;
      await db.write(async (tx) => {
        const forUser = (await partnersOf(tx, coupleId)).find((id) => id !== userId);
        if (forUser === undefined) throw new Refusal(409, 'There is no partner here yet whose password could be set.');
        const row = {
          id: uuidv7(),
          codeHash: hashOfSecret(code),
          createdBy: userId,
          forUser,
          createdAt: now,
          expiresAt,
        };
        await insertCode(tx, coupleId, { kind: 'recovery', ...row });
      });
      return { url: ownOrigin(config, request) + paths.recover(code), expiresAt: formatInstant(expiresAt) };
    },

    'POST /api/auth/recovery/{code}': {
      find: async ({ request, params }) => {
        assertOwnOrigin(config, request);
        await shown('recovery', params.code, request.ip);
      },
      handle: async ({ params, body, now }) => {
        const codeHash = hashOfSecret(params.code);
        const passwordHash = await hashPassword(body.newPassword);
        const account = await db.write(async (tx) => {
          const recovery = await usableCode(tx, 'recovery', codeHash, now);
          if (!recovery || recovery.forUser === null) throw spent('recovery');
          const { coupleId, forUser } = recovery;
          if (!(await useCode(tx, coupleId, recovery.id, now))) throw spent('recovery');
          await updatePassword(tx, coupleId, forUser, passwordHash);
          await deleteSessions(tx, coupleId, forUser, null);
          // Whoever had to be let in again may have lost the device that holds them.
          await deletePasskeys(tx, coupleId, forUser);
          return accountById(tx, coupleId, forUser);
        });
        await tries.clear(account.emailKey);
        events.end(account.id, { except: null });
        return null;
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

function spent(kind: CodesTable['kind']): Refusal {
  const what = kind === 'invitation' ? 'This invitation' : 'This link';
  return new Refusal(404, `${what} is unknown, used or expired. Ask for a new one.`);
}

function complete(): Refusal {
  return new Refusal(409, 'There are two of us already, and that is how it stays.');
}
