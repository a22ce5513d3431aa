import { uuidv7 } from 'uuidv7';
import { isEmail } from '../../src/auth/rules.ts';
import { describeMailFault, openMailer } from '../../src/base/server/mail/mailer.ts';
import { CommandError, oneLine, printLine } from '../lib/command.ts';
import type { AdminCommand } from './admin-command.ts';

/** Sends a mail to an address, and says what the mail server makes of it. */
export const mailTest: AdminCommand = {
  usage: 'mail-test ADDRESS',
  arguments: 1,
  options: [],
  run: async ({ config: { mail } }, { arguments: [address = ''], json }) => {
    if (mail === null) throw new CommandError('SMTP_URL is not set, so the server sends no mail.');
    if (!isEmail(address)) throw new CommandError(`${oneLine(address)} is not an email address.`);
    const mailer = await openMailer(mail);
    const text = ['The server of Our Love Story can send mail.'];
    await mailer.send(uuidv7(), { to: address, subject: 'A test of Our Love Story', body: text }).catch(throwExplained);
    printLine(json ? JSON.stringify({ sent: true }) : 'The mail server has taken the mail.');
  },
};

function throwExplained(error: unknown): never {
  const said = error instanceof Error ? ` (${oneLine(error.message)})` : '';
  throw new CommandError(`The mail server did not take the mail: ${describeMailFault(error).reason}${said}.`);
}
