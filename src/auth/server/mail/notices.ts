import type { Mail } from '../../../base/server/mail/mail-queue.ts';
import type { MailText } from '../../../base/server/mail/mail-text.ts';
import type { WriteMail } from '../../../base/server/mail/send-mails.ts';
import { paths } from '../../../paths.ts';
import { recoveryLinkTime } from '../../recovery-link-time.ts';
import { type MailPerson, readMailPerson } from './read-mail-person.ts';
import type { NoticeKind } from './tell-by-mail.ts';

/** A notice without a code. */
type PlainNotice = Exclude<NoticeKind, 'partnerRecovery'>;

/** What a notice says, and what to do if it was not the user. */
type Words = (mail: Mail, time: string) => { readonly subject: string; readonly text: string; readonly help?: string };

const HELP =
  'If this was not you, set a new password with ‘Forgot your password?’, or ask your partner or the person who runs the server.';

const WORDS: Readonly<Record<PlainNotice, Words>> = {
  newPassword: ({ about }, time) => ({
    subject: 'Your password was changed',
    text: [
      `Your password in Our Love Story was changed on ${time}.`,
      ...(about?.includes('passkeys') ? ['Your passkeys were removed.'] : []),
      ...(about?.includes('provider') ? ['The connected account with which you could sign in was disconnected.'] : []),
    ].join(' '),
  }),
  newEmail: (_, time) => ({
    subject: 'Your email was changed',
    text: `The email of your account in Our Love Story was changed on ${time}. This address gets no more mails.`,
    help: 'If this was not you, ask your partner or the person who runs the server.',
  }),
  newPasskey: ({ about }, time) => ({
    subject: 'A passkey was added',
    text: `A passkey (${about}) was added to your account in Our Love Story on ${time}.`,
  }),
  removedPasskey: ({ about }, time) => ({
    subject: 'A passkey was removed',
    text: `A passkey (${about}) was removed from your account in Our Love Story on ${time}.`,
  }),
  newProvider: ({ about }, time) => ({
    subject: 'A way to sign in was added',
    text: `${about} was connected to your account in Our Love Story on ${time}. You can now sign in with it.`,
  }),
  removedProvider: ({ about }, time) => ({
    subject: 'A way to sign in was removed',
    text: `${about} was disconnected from your account in Our Love Story on ${time}.`,
  }),
  newDevice: ({ about }, time) => ({
    subject: 'A new device is signed in',
    text: `A new device (${about}) signed in to your account in Our Love Story on ${time}.`,
  }),
};

/** The notices of what has changed about signing in, by their kind. */
export function noticesFor(publicUrl: string): Readonly<Record<PlainNotice, WriteMail>> {
  const notice =
    (kind: PlainNotice): WriteMail =>
    async (tx, mail) => {
      const { coupleId, userId } = mail;
      const person = coupleId && userId && (await readMailPerson(tx, { coupleId, userId }));
      return person ? noticeText(publicUrl, WORDS[kind], mail, person) : null;
    };
  return {
    newPassword: notice('newPassword'),
    newEmail: notice('newEmail'),
    newPasskey: notice('newPasskey'),
    removedPasskey: notice('removedPasskey'),
    newProvider: notice('newProvider'),
    removedProvider: notice('removedProvider'),
    newDevice: notice('newDevice'),
  };
}

function noticeText(publicUrl: string, words: Words, mail: Mail, { timeZone, formats }: MailPerson): MailText {
  const { subject, text, help = HELP } = words(mail, recoveryLinkTime(mail.createdAt, timeZone, formats));
  return {
    to: mail.address,
    subject,
    body: [text, help, { text: 'Open Our Love Story', url: publicUrl + paths.signIn }],
  };
}
