import type { Writer } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { type Rounds, startRounds } from '../jobs/rounds.ts';
import { type SendOutcome, sendQueuedRows } from '../jobs/send-queued-rows.ts';
import type { Config } from '../process/config.ts';
import { type Mail, mailQueue } from './mail-queue.ts';
import type { MailText } from './mail-text.ts';
import { describeMailFault, type Mailer, openMailer } from './mailer.ts';

/** How often to look for mails to send. A user waits for most of them. */
const EVERY_MS = 2_000;

/**
 * Writes a mail when it is handed over, in a transaction of its own, in which it makes the code of its link.
 * @returns null if the mail is no longer wanted
 */
export type WriteMail = (tx: Writer, mail: Mail, now: number) => Promise<MailText | null>;

/** Every kind of mail by its name in the queue. */
export type MailKinds = Readonly<Record<string, WriteMail>>;

/** Whether users get mail: its links need the server's public address. */
export function isMailOn({ mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>): boolean {
  return mail !== null && publicUrl !== null;
}

/** Starts to send mails; null without a mail server. Says in the log what is amiss, which stops nothing. */
export async function startMails(deps: Deps, kinds: MailKinds): Promise<Rounds | null> {
  const { config, log } = deps;
  if (config.mail === null) return null;
  if (!isMailOn(config)) log.warn('PUBLIC_URL is not set, so users get no mail');
  const mailer = await openMailer(config.mail);
  void mailer.verify().catch((error: unknown) => {
    log.warn(describeMailFault(error), 'the mail server could not be used');
  });
  return startRounds(EVERY_MS, (isStopped) =>
    sendMails(deps, kinds, mailer, () => !isStopped()).catch((error: unknown) =>
      log.error({ err: error }, 'mails could not be sent'),
    ),
  );
}

/** Sends the mails that wait. */
export function sendMails(
  deps: Deps,
  kinds: MailKinds,
  mailer: Mailer,
  mayContinue: () => boolean = () => true,
): Promise<void> {
  return sendQueuedRows(deps, mailQueue, (mail) => sendMail(deps, kinds, mailer, mail), mayContinue);
}

async function sendMail({ db, now, log }: Deps, kinds: MailKinds, mailer: Mailer, mail: Mail): Promise<SendOutcome> {
  const write = kinds[mail.kind];
  // A node of a newer version may have queued it, and sends it.
  if (write === undefined) return { retry: true };
  const text = await db.write((tx) => write(tx, mail, now()));
  if (text === null) return { retry: false };
  try {
    await mailer.send(mail.id, text);
    return { retry: false };
  } catch (error) {
    log.warn({ kind: mail.kind, ...describeMailFault(error) }, 'the mail server did not take a mail');
    return { retry: true };
  }
}
