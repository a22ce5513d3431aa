import type { Writer } from '../../../base/server/db/db.ts';
import { insertMail, timesOfMails } from '../../../base/server/mail/mail-queue.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import { authLimits } from '../../rules.ts';
import { mailWait } from './mail-limit.ts';
import { readMailPerson } from './read-mail-person.ts';
import type { MailDeps, MailedUser } from './tell-by-mail.ts';

/**
 * Queues the mail with the link that confirms a user's address, unless they have confirmed it. It does nothing where users
 * get no mail.
 * @returns the milliseconds to wait, if they have had 10 in a day
 */
export async function askToConfirmEmail({ config, now }: MailDeps, tx: Writer, user: MailedUser): Promise<number> {
  if (!isMailOn(config)) return 0;
  const person = await readMailPerson(tx, user);
  if (person === null || person.isVerified) return 0;
  const at = now();
  const wait = mailWait(await timesOfMails(tx, user, 'email', at), authLimits.confirmations, at);
  if (wait === 0) await insertMail(tx, { kind: 'email', address: person.email, user }, at);
  return wait;
}
