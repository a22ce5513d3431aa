import { formatInstant } from '../../../base/instants.ts';
import type { Mail } from '../../../base/server/mail/mail-queue.ts';
import type { WriteMail } from '../../../base/server/mail/send-mails.ts';
import type { Config } from '../../../base/server/process/config.ts';

/** What the operator gets a mail about. */
export type AlarmKind = 'backupFailed' | 'backupUnverified' | 'diskFull';

type Words = (mail: Mail) => { readonly subject: string; readonly text: string };

const WORDS: Readonly<Record<AlarmKind, Words>> = {
  backupFailed: () => ({
    subject: 'The nightly backup failed',
    text: 'The nightly backup of Our Love Story failed. The earlier backups are kept. The log of the server says why.',
  }),
  backupUnverified: () => ({
    subject: 'No backup was verified for two days',
    text: 'For two days no backup of Our Love Story was made and verified. The log of the server says why.',
  }),
  diskFull: ({ about }) => ({
    subject: 'The disk is nearly full',
    text: `Less than 5 % is free on the disk of Our Love Story with: ${about}. When it is full, no photograph can be saved.`,
  }),
};

/** The mails to the operator, by their kind. They need no public address. */
export function alarmMails({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<AlarmKind, WriteMail>> {
  const alarm =
    (kind: AlarmKind): WriteMail =>
    async (_tx, mail) => {
      const { subject, text } = WORDS[kind](mail);
      const found = `This was found at ${formatInstant(mail.createdAt)}${publicUrl === null ? '' : ` on ${publicUrl}`}.`;
      return { to: mail.address, subject, body: [text, found] };
    };
  return {
    backupFailed: alarm('backupFailed'),
    backupUnverified: alarm('backupUnverified'),
    diskFull: alarm('diskFull'),
  };
}
