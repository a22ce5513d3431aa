import { userMails } from '../../src/auth/server/mail/user-mails.ts';
import type { Deps } from '../../src/base/server/deps.ts';
import { openMailer } from '../../src/base/server/mail/mailer.ts';
import { sendMails } from '../../src/base/server/mail/send-mails.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { Caller } from './caller.ts';
import type { Engine } from './engines.ts';
import { freePorts } from './free-ports.ts';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
import { depsOf } from './server-deps.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** A server that sends mail, through a mail server of its own, only when a test says so. */
export interface MailedApp {
  readonly app: TestApp;
  readonly server: MailServer;
  readonly deps: Deps;
  /** The server's clock. */
  now(): number;
  /** Moves the clock ahead. */
  advance(ms: number): void;
  /** A caller without a session. */
  nobody(): Caller;
  /** Sends what waits, as the server does every two seconds. @returns what has arrived, in the order of the queue */
  send(): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

/** The variables of a server that sends mail. */
export async function mailVariables({ port }: Pick<MailServer, 'port'>) {
  const [own = 0] = await freePorts(1);
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Our Love Story <album@example.org>',
    PUBLIC_URL: `http://127.0.0.1:${own}`,
    PORT: String(own),
  };
}

export async function startMailedApp(engine: Engine, options: Omit<TestAppOptions, 'now'> = {}): Promise<MailedApp> {
  const server = await startMailServer();
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const env = { ...(await mailVariables(server)), ...options.env };
  const app = await startTestApp(engine, { ...options, env, now, hasJobs: false });
  const deps = { ...(await depsOf(app, now)), config: readConfig({ ...app.storage.env, ...env }) };
  const { mail } = deps.config;
  if (mail === null) throw new Error('There is no mail server');
  const mailer = await openMailer(mail);
  return {
    app,
    server,
    deps,
    now,
    advance: (ms) => {
      ahead += ms;
    },
    nobody: () => new Caller(app.url),
    send: async () => {
      await sendMails(deps, userMails(deps.config), mailer);
      return server.received.splice(0).toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1));
    },
    close: async () => {
      await app.close();
      await server.close();
    },
  };
}
