import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, type MailServerOptions, startMailServer } from '../../../../tests/support/mail-server.ts';
import { readConfig } from '../process/config.ts';
import { describeMailFault, openMailer } from './mailer.ts';

const USER = { name: 'album', password: 'a secret of the server' };
const MAIL = { to: 'ada@example.org', subject: 'Grüße', body: ['Olá'] };
/** An address of this machine that is not loopback. */
const BEYOND = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('the mail server', () => {
  let folder: string;
  let certificate: { readonly key: string; readonly cert: string };
  const servers: MailServer[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mail-'));
    const [key, cert] = ['key', 'cert'].map((name) => join(folder, `${name}.pem`));
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
    const { status } = spawnSync('openssl', [...args, '-keyout', key ?? '', '-out', cert ?? '']);
    if (status !== 0) throw new Error('openssl made no certificate');
    certificate = { key: await readFile(key ?? '', 'utf8'), cert: await readFile(cert ?? '', 'utf8') };
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await rm(folder, { recursive: true });
  });

  const start = async (options: MailServerOptions = {}) => {
    const server = await startMailServer(options);
    servers.push(server);
    return server;
  };
  const send = async (SMTP_URL: string, to = MAIL.to): Promise<ReturnType<typeof describeMailFault> | 'sent'> => {
    const { mail } = readConfig({ SMTP_URL, MAIL_FROM: 'Our Love Story <album@example.org>' });
    if (mail === null) throw new Error('There is no mail server');
    try {
      await (await openMailer(mail)).send('1', { ...MAIL, to });
      return 'sent';
    } catch (error) {
      return describeMailFault(error);
    }
  };
  const withUser = (url: string) => url.replace('://', `://${USER.name}:${encodeURIComponent(USER.password)}@`);

  it('gets a mail of both kinds of text from MAIL_FROM', { tags: ['mail.sending.1', 'mail.sending.6'] }, async () => {
    const server = await start();
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toBe('sent');
    const [mail] = server.received;
    expect(mail).toMatchObject({ to: 'ada@example.org', from: 'album@example.org', subject: 'Grüße' });
    expect(mail?.text.trim()).toBe('Olá');
    expect(mail?.html).toContain('<p>Olá</p>');
    expect(mail?.raw).toMatch(/auto-submitted: auto-generated/i);
    expect(mail?.raw).not.toMatch(/x-mailer|user-agent/i);
  });

  it.each([
    ['a,b@example.org', '"a,b"@example.org'],
    ['a;b@example.org', '"a;b"@example.org'],
    ['ada@bücher.example', 'ada@bücher.example'],
  ])('gets a mail to %s for one recipient', { tags: ['mail.sending.6'] }, async (to, recipient) => {
    const server = await start();
    expect(await send(`smtp://127.0.0.1:${server.port}`, to)).toBe('sent');
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[recipient]]);
  });

  it('gets no mail for the address within an address', { tags: ['mail.sending.6'] }, async () => {
    const server = await start();
    expect(await send(`smtp://127.0.0.1:${server.port}`, 'a<b@example.org')).toMatchObject({ status: 501 });
    expect(server.received).toEqual([]);
  });

  it('gets the user and the password', { tags: ['mail.sending.2'] }, async () => {
    const server = await start({ user: USER });
    expect(await send(withUser(`smtp://127.0.0.1:${server.port}`))).toBe('sent');
    expect(server.signedIn).toEqual([USER.name]);
    expect(await send(`smtp://album:wrong@127.0.0.1:${server.port}`)).toMatchObject({
      reason: 'it refused the user or the password',
      status: 535,
    });
  });

  it('needs a certificate that is valid', { tags: ['mail.sending.2'] }, async () => {
    const invalid = { reason: 'its certificate is not valid', status: null };
    const fromStart = await start({ tls: { ...certificate, fromStart: true } });
    expect(await send(`smtps://localhost:${fromStart.port}`)).toEqual(invalid);
    const startTls = await start({ user: USER, tls: { ...certificate, fromStart: false } });
    expect(await send(withUser(`smtp://localhost:${startTls.port}`))).toEqual(invalid);
    expect([...fromStart.received, ...startTls.received]).toEqual([]);
    expect(startTls.signedIn).toEqual([]);
  });

  it.skipIf(BEYOND === undefined)(
    'gets no password without encryption beyond this machine',
    {
      tags: ['mail.sending.2'],
    },
    async () => {
      const server = await start({ user: USER, host: BEYOND ?? '' });
      expect(await send(withUser(`smtp://${BEYOND}:${server.port}`))).toMatchObject({
        reason: 'it offers no encrypted connection that could be used',
      });
      expect(server.signedIn).toEqual([]);
      const relay = await start({ host: BEYOND ?? '' });
      expect(await send(`smtp://${BEYOND}:${relay.port}`)).toBe('sent');
    },
  );

  it('that is not there is reported, without an address', { tags: ['mail.sending.8'] }, async () => {
    const server = await startMailServer();
    await server.close();
    expect(await send(`smtp://127.0.0.1:${server.port}`)).toEqual({ reason: 'it could not be reached', status: null });
  });
});
