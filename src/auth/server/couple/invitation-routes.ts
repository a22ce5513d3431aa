import type { CoupleId, UserId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { paths } from '../../../paths.ts';
import type { authCalls } from '../../contract.ts';
import { authLimits } from '../../rules.ts';
import { announceCouple } from '../announce-couple.ts';
import type { AuthServices } from '../auth-services.ts';
import { askToConfirmEmail } from '../mail/ask-to-confirm-email.ts';
import type { CodeRow } from '../one-time-code-store.ts';
import { deleteCodes, findUnusedCode, issueCode, redeemCode } from '../one-time-code-store.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret } from '../secrets.ts';
import { assertSignedIn, openSession, signedInReply } from '../session/sessions.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { countEmail, emailTaken } from '../sign-in/taken-email.ts';
import { getAccount, insertUser, partnersOf } from '../user-store.ts';
import { lockCouple } from './couple-store.ts';

/** Routes for the link with which one partner invites the other. */
export function invitationRoutes(auth: AuthServices) {
  const { deps } = auth;
  const { db, config } = deps;

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
      const { coupleId, createdBy, expiresAt } = await lookUpInvitation(auth, params.code, request.ip);
      const { displayName } = await getAccount(db.read, coupleId, createdBy);
      return { inviterName: displayName, expiresAt: formatInstant(expiresAt) };
    },

    'POST /api/auth/join': {
      checkEarly: async ({ request }) => assertOwnOrigin(config, request),
      checkReferences: async ({ request }, raw) => {
        const code = typeof raw === 'object' && raw !== null && 'code' in raw ? raw.code : null;
        if (typeof code === 'string') await lookUpInvitation(auth, code, request.ip);
      },
      handle: async ({ request, body, now }) => {
        const { email, displayName } = body;
        await countEmail(auth, request);
        const codeHash = hashOfSecret(body.code);
        const passwordHash = await hashPassword(body.password, deps.passwordCost);
        const session = await db.write(async (tx) => {
          const joined = await joinCouple(deps, tx, codeHash, { email, displayName, passwordHash }, now);
          return openSession(tx, joined, request, now);
        });
        return signedInReply(deps, request, session);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

/** Looks up a code. @throws Refusal 404 if it is wrong, used or expired, counted as a failed attempt of the address */
export function lookUpInvitation(
  { deps: { db, now }, rateLimits }: Pick<AuthServices, 'deps' | 'rateLimits'>,
  code: string,
  address: string,
): Promise<CodeRow> {
  const find = async () => (await findUnusedCode(db.read, 'invitation', hashOfSecret(code), now())) ?? null;
  return rateLimits.attempt({ address }, find, invalidInvitation());
}

/**
 * Adds the second partner to the couple of an invitation, which is used up.
 * @param codeHash the hash of the invitation's code
 * @throws Refusal 404 if it is used or expired by now, 409 if the couple is complete or the e-mail taken
 */
export async function joinCouple(
  deps: Deps,
  tx: Writer,
  codeHash: string,
  person: Parameters<typeof insertUser>[2],
  now: number,
): Promise<{ readonly coupleId: CoupleId; readonly userId: UserId }> {
  const invitation = await findUnusedCode(tx, 'invitation', codeHash, now);
  if (!invitation) throw invalidInvitation();
  const { coupleId } = invitation;
  await lockCouple(tx, coupleId);
  if (!(await redeemCode(tx, coupleId, invitation.id, now))) throw invalidInvitation();
  // The link and the mails of one invitation each have a code.
  await deleteCodes(tx, coupleId, { kind: 'invitation', forUser: null });
  if ((await partnersOf(tx, coupleId)).length >= authLimits.partners) throw coupleIsFull();
  const userId = await insertUser(tx, coupleId, person, now);
  if (userId === null) throw emailTaken();
  await askToConfirmEmail(deps, tx, { coupleId, userId });
  await announceCouple(deps, tx, coupleId, userId);
  return { coupleId, userId };
}

function invalidInvitation(): Refusal {
  return new Refusal(404, 'This invitation is invalid, used or expired. Ask for a new one.');
}

function coupleIsFull(): Refusal {
  return new Refusal(409, 'This album already has two partners.');
}
