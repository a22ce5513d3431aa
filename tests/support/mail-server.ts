import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail that the server has taken. */
export interface ReceivedMail {
  /** The first recipient of the envelope, and all of them. */
  readonly to: string;
  readonly recipients: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** The whole message as it came. */
  readonly raw: string;
}

export interface MailServerOptions {
  /** The user and the password that it wants. */
  readonly user?: { readonly name: string; readonly password: string };
  /** TLS from the first byte, or STARTTLS, with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly fromStart: boolean };
  readonly host?: string;
}

/** A real mail server on this machine. */
export interface MailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** The users that signed in, in order. */
  readonly signedIn: string[];
  /** The status with which it refuses the next mails; null to take them. */
  refuse: number | null;
  /** Runs when a mail has arrived, before the server takes it. */
  before: (() => Promise<void>) | null;
  /** Whether it takes mails and says that it did not, as if the connection broke before its answer. */
  losesAnswers: boolean;
  close(): Promise<void>;
}

/** Starts a mail server. It offers STARTTLS only with a certificate. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { user, tls, host = '127.0.0.1' } = options;
  const server = new SMTPServer({
    logger: false,
    secure: tls?.fromStart ?? false,
    ...(tls ? { key: tls.key, cert: tls.cert } : {}),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(user ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: user === undefined,
    onAuth: ({ username, password }, _session, done) => {
      if (user === undefined || username !== user.name || password !== user.password)
        return done(new Error('No such user'));
      self.signedIn.push(user.name);
      return done(null, { user: username });
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const take = async () => {
          const raw = Buffer.concat(chunks);
          const mail = await PostalMime.parse(raw);
          const { rcptTo } = session.envelope;
          await self.before?.();
          if (self.refuse !== null) throw Object.assign(new Error('Not now'), { responseCode: self.refuse });
          self.received.push({
            to: rcptTo[0]?.address ?? '',
            recipients: rcptTo.map(({ address }) => address),
            from: mail.from?.address ?? '',
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
            messageId: mail.messageId ?? '',
            raw: raw.toString('latin1'),
          });
          if (self.losesAnswers) throw Object.assign(new Error('Not now'), { responseCode: 451 });
        };
        take().then(
          () => done(),
          (error: unknown) => done(error as Error),
        );
      });
    },
  });
  // A client that checks the certificate hangs up.
  server.on('error', () => undefined);
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const self: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    signedIn: [],
    refuse: null,
    before: null,
    losesAnswers: false,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return self;
}

/** The path and the code of the link in a mail. */
export function linkIn({ text }: ReceivedMail): { readonly url: string; readonly code: string } {
  const url = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return { url, code: url.replace(/^.*\//, '') };
}
