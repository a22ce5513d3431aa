import type { Writer } from '../../../base/server/db/db.ts';
import { isWaiting, type Mail } from '../../../base/server/mail/mail-queue.ts';
import { nameInMail } from '../../../base/server/mail/mail-text.ts';
import type { MailKinds, WriteMail } from '../../../base/server/mail/send-mails.ts';
import type { Config } from '../../../base/server/process/config.ts';
import { paths } from '../../../paths.ts';
import { recoveryLinkTime } from '../../recovery-link-time.ts';
import { authLimits } from '../../rules.ts';
import { lockCouple } from '../couple/couple-store.ts';
import { invitationById } from '../couple/invitation-store.ts';
import { addCode, deleteExpiredCodes, issueCode } from '../one-time-code-store.ts';
import { partnerRecoveries } from '../recovery/recovery-store.ts';
import { findAccount, lockUser } from '../user-store.ts';
import { noticesFor } from './notices.ts';
import { type MailPerson, readMailPerson } from './read-mail-person.ts';
import type { MailedUser } from './tell-by-mail.ts';

const STRANGER = 'If this was not you, you can ignore this mail.';

/** The mails to users, by their kind. Each makes the code of its link when it is handed over. */
export function userMails(config: Pick<Config, 'publicUrl'>): MailKinds {
  const { publicUrl } = config;
  // Without it nothing is queued. What was queued before waits for it to come back, for a day at most.
  if (publicUrl === null) return {};
  return {
    recovery: recoveryMail(publicUrl),
    email: confirmationMail(publicUrl),
    invitation: invitationMail(publicUrl),
    partnerRecovery: partnerRecoveryMail(publicUrl),
    ...noticesFor(publicUrl),
  };
}

/** A link for a new password, for the confirmed address of an account. */
function recoveryMail(publicUrl: string): WriteMail {
  return async (tx, mail, now) => {
    const account = await findAccount(tx, mail.address);
    if (account === undefined) return null;
    const user = { coupleId: account.coupleId, userId: account.id };
    const person = await lockMailPerson(tx, mail, user);
    if (!person?.verifiedEmail || !person.isVerified || person.isSuspended) return null;
    const { code, expiresAt } = await issueCode(
      tx,
      user.coupleId,
      { ...ownCode(mail, user, 'mailedRecovery'), lifetime: authLimits.recovery },
      now,
    );
    return {
      to: person.verifiedEmail,
      subject: 'Set a new password',
      body: [
        'Somebody asked for a new password for your account in Our Love Story. With this link you set one. ' +
          worksUntil(expiresAt, person),
        { text: 'Set a new password', url: publicUrl + paths.recover(code) },
        `${STRANGER} Nothing changes until the link is used.`,
      ],
    };
  };
}

/** A link that confirms the address of a user. */
function confirmationMail(publicUrl: string): WriteMail {
  return async (tx, mail, now) => {
    const user = userOf(mail);
    const person = user && (await lockMailPerson(tx, mail, user));
    if (!person || person.email !== mail.address || person.isVerified) return null;
    const { code, expiresAt } = await issueCode(
      tx,
      user.coupleId,
      { ...ownCode(mail, user, 'email'), address: mail.address, lifetime: authLimits.confirmation },
      now,
    );
    return {
      to: mail.address,
      subject: 'Confirm your email',
      body: [
        'This address was given for an account in Our Love Story. Please confirm that it is yours: only then can you get ' +
          `a link for a new password here. ${worksUntil(expiresAt, person)}`,
        { text: 'Confirm your email', url: publicUrl + paths.confirmEmail(code) },
        STRANGER,
      ],
    };
  };
}

/** An invitation, with a code beside the one that the inviter sees. */
function invitationMail(publicUrl: string): WriteMail {
  return async (tx, mail, now) => {
    const user = userOf(mail);
    // What ends an invitation locks the couple or the user, and so runs before or after the code is made.
    if (user) await lockCouple(tx, user.coupleId);
    const person = user && (await lockMailPerson(tx, mail, user));
    const invitation = user && (await invitationById(tx, user.coupleId, mail.about ?? '', now));
    if (!person || !invitation) return null;
    const { code, expiresAt } = await addCode(
      tx,
      user.coupleId,
      {
        kind: 'invitation',
        createdBy: invitation.createdBy,
        forUser: null,
        bits: 128,
        lifetime: invitation.expiresAt - now,
        mailId: mail.id,
      },
      now,
    );
    const name = nameInMail(person.displayName);
    const inviting = name === null ? 'You are invited' : `${name} invites you`;
    return {
      to: mail.address,
      subject: 'An invitation to Our Love Story',
      body: [
        `${inviting} to Our Love Story, a private album for two. ${worksUntil(expiresAt, person)}`,
        { text: 'Join', url: publicUrl + paths.join(code) },
        'If you do not know who this is from, you can ignore this mail.',
      ],
    };
  };
}

/** What the partner made: a link for a new password, which the user can stop. */
function partnerRecoveryMail(publicUrl: string): WriteMail {
  return async (tx, mail, now) => {
    const user = userOf(mail);
    const person = user && (await lockMailPerson(tx, mail, user));
    const standing = user && (await partnerRecoveries(tx, user.coupleId, now)).find(({ id }) => id === mail.about);
    if (!person || !standing) return null;
    await deleteExpiredCodes(tx, user.coupleId, { kind: 'stopRecovery', forUser: user.userId }, now);
    const maker = await readMailPerson(tx, { coupleId: user.coupleId, userId: standing.createdBy });
    const { code } = await addCode(
      tx,
      user.coupleId,
      { ...ownCode(mail, user, 'stopRecovery'), lifetime: standing.expiresAt - now },
      now,
    );
    return {
      to: mail.address,
      subject: 'A link for a new password',
      body: [
        `${(maker && nameInMail(maker.displayName)) ?? 'Your partner'} made a link for a new password for you. It works from ` +
          `${timeFor(standing.usableAt, person)}. With it, your notes and surprises can be opened.`,
        'If you do not want that, stop it.',
        { text: 'Stop the link', url: publicUrl + paths.stopRecovery(code) },
      ],
    };
  };
}

/**
 * Locks a user until the transaction ends, so that what ends their links runs before or after the code is made.
 * @returns null if the user is gone, or the mail is no longer wanted
 */
async function lockMailPerson(tx: Writer, mail: Mail, user: MailedUser): Promise<MailPerson | null> {
  if (!(await lockUser(tx, user.coupleId, user.userId)) || !(await isWaiting(tx, mail))) return null;
  return readMailPerson(tx, user);
}

/** The fields of a code that a mail brings to the user whom it is for. */
function ownCode({ id }: Mail, { userId }: MailedUser, kind: 'mailedRecovery' | 'email' | 'stopRecovery') {
  return { kind, createdBy: userId, forUser: userId, bits: 128, mailId: id } as const;
}

function userOf({ coupleId, userId }: Mail): MailedUser | null {
  return coupleId === null || userId === null ? null : { coupleId, userId };
}

function worksUntil(expiresAt: number, person: MailPerson): string {
  return `It works once, until ${timeFor(expiresAt, person)}.`;
}

function timeFor(ms: number, { timeZone, formats }: MailPerson): string {
  return recoveryLinkTime(ms, timeZone, formats);
}
