import { MINUTE } from '../../durations.ts';
import { isLoopback } from '../../loopback.ts';
import type { MailConfig } from './mail-config.ts';
import { htmlText, type MailText, plainText } from './mail-text.ts';

/** The longest time that sending one mail may take: much less than a node holds it. */
const DEADLINE_MS = MINUTE;
const CONNECT_MS = 20_000;

/** Hands mails to the mail server. */
export interface Mailer {
  /**
   * Hands over one mail.
   * @param id the same for each try, so that a mailbox can drop the second one of two
   * @throws an error that `describeMailFault` describes
   */
  send(id: string, mail: MailText): Promise<void>;
  /** Connects and signs in, without sending. @throws the same */
  verify(): Promise<void>;
}

/** Loads the library and opens a mailer. Each mail gets a connection of its own. */
export async function openMailer(config: MailConfig): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const { host, port, isSecure, user, from } = config;
  const isLocal = isLoopback(host);
  const connect = () =>
    createTransport({
      host,
      port,
      secure: isSecure,
      // A password does not leave this machine unencrypted.
      requireTLS: user !== null && !isSecure && !isLocal,
      // A relay on this machine often has a certificate for no name that it could be reached by.
      ignoreTLS: user === null && !isSecure && isLocal,
      tls: { rejectUnauthorized: true },
      ...(user === null ? {} : { auth: { user: user.name, pass: user.password } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  return {
    send: (id, mail) =>
      withinDeadline(
        connect().sendMail({
          from: { name: from.name, address: from.address },
          // Not as text, and without an envelope of its own: that would be parsed again, and a comma end the address.
          to: { name: '', address: mail.to },
          messageId: `<${id}@${from.address.replace(/^.*@/, '')}>`,
          subject: mail.subject,
          text: plainText(mail),
          html: htmlText(mail),
          // No other machine answers it.
          headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
        }),
      ),
    verify: () => withinDeadline(connect().verify()),
  };
}

async function withinDeadline(work: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new MailTimeout()), DEADLINE_MS);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

class MailTimeout extends Error {
  override readonly name = 'MailTimeout';
  readonly code = 'ETIMEDOUT';
}

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: 'it refused the user or the password',
  ENOAUTH: 'it takes no user and password',
  EDNS: 'its name is unknown',
  ECONNECTION: 'it could not be reached',
  ESOCKET: 'it could not be reached',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'it offers no encrypted connection that could be used',
  EENVELOPE: 'it refused the sender or the recipient',
  EMESSAGE: 'it refused the mail',
};

/**
 * Why a mail could not be handed over, without what the mail server says: that may contain addresses.
 * @returns a sentence's end, and the status of the mail server, if it gave one
 */
export function describeMailFault(error: unknown): { readonly reason: string; readonly status: number | null } {
  const {
    code = '',
    responseCode = null,
    message = '',
  } = error as {
    readonly code?: string;
    readonly responseCode?: number | null;
    readonly message?: string;
  };
  if (/certificate|altnames/i.test(message)) return { reason: 'its certificate is not valid', status: null };
  return { reason: REASONS[code] ?? 'it did not take it', status: responseCode };
}
