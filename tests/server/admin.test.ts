import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY } from '../../src/base/durations.ts';
import { Caller } from '../support/caller.ts';
import { describeOnBoth, describeOnSqlite, onSqliteOnly } from '../support/engines.ts';
import { addPhoto, completeDate, planDate } from '../support/factories.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda, registerCouple } from '../support/register-couple.ts';
import { runCommand } from '../support/run-command.ts';
import { depsOf } from '../support/server-deps.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const SECRET = 'between us alone';

describeOnBoth('npm run admin, beside the running server', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    const { id } = await completeDate(ada, { at: Date.now() - DAY, minutes: 30, idea: { title: SECRET } });
    await addPhoto(ada, id, 1, SECRET);
    const { id: trashed } = await addPhoto(ada, id, 2, SECRET);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: trashed } });
    await planDate(ben, { surprise: true, location: SECRET });
  });
  afterAll(() => app.close());

  const admin = (...args: readonly string[]) => runCommand('admin', app.storage.env, args);
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await admin(...args, '--json')).out) as unknown;
  const statusOf = async (who: Caller) => (await who.call('GET /api/auth/session')).status;
  const bytesOf = async () => {
    const rows = await app.db.read
      .selectFrom('memories')
      .select('fileSizeBytes')
      .where('coupleId', '=', ada.user.couple.id as never)
      .execute();
    return rows.reduce((sum, { fileSizeBytes }) => sum + fileSizeBytes, 0);
  };
  const ours = async () => ({
    id: ada.user.couple.id,
    initials: 'AB',
    created: ada.user.couple.createdAt,
    lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
    dates: 2,
    memories: 1,
    bytes: await bytesOf(),
    quota: null,
    suspended: false,
  });

  it('lists each couple by numbers, without a word of theirs', { tags: ['running.admin.1'] }, async () => {
    const alone = await registerAda(app, 'zoe@example.org');
    const entries = (await json('list')) as readonly object[];
    expect(entries).toContainEqual(await ours());
    expect(entries).toContainEqual(expect.objectContaining({ id: alone.user.couple.id, initials: 'A' }));
    const { code, out } = await admin('list');
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(entries.length + 2);
    expect(out).toMatch(/^ID +Initials +Created +Last used +Dates +Memories +Size +Quota +Suspended\n/);
    expect(out).toContain(`${ada.user.couple.id}  AB`);
    expect(out + JSON.stringify(entries)).not.toContain(SECRET);
  });

  it('shows a couple by the e-mail of a partner or by its id', { tags: ['running.admin.1'] }, async () => {
    const member = (who: Partner) => ({
      email: who.email,
      createdAt: expect.any(String) as unknown,
      lastUsed: expect.any(String) as unknown,
    });
    const details = { ...(await ours()), members: [member(ada), member(ben)] };
    expect(await json('show', ben.email.toUpperCase())).toEqual(details);
    expect(await json('show', ada.user.couple.id)).toEqual(details);
    const { out } = await admin('show', ben.email);
    expect(out).toContain(`Member     ${ben.email}, since `);
    expect(out).not.toContain(SECRET);
  });

  onSqliteOnly(engine, () => {
    it('refuses what it does not know, and exits with 1', { tags: ['running.admin.2'] }, async () => {
      const unknown = { code: 1, out: '' };
      expect(await admin('show', 'nobody@example.org')).toEqual({
        ...unknown,
        err: 'No couple has the email address or the ID nobody@example.org.\n',
      });
      const nowhere = '01890000-0000-7000-8000-000000000000';
      expect(await admin('suspend', nowhere)).toMatchObject(unknown);
      expect(await admin('sign-out', 'nobody@example.org')).toEqual({
        ...unknown,
        err: 'No account has the email address nobody@example.org.\n',
      });
    });

    it('signs out every device of a user, and nobody else', { tags: ['running.admin.3'] }, async () => {
      const { body } = await new Caller(app.url).call('POST /api/auth/login', {
        body: { email: ben.email, password: ben.password },
      });
      const other = new Caller(app.url, body.token);
      const link = (await ben.call('POST /api/export')).body.url;
      expect(await admin('sign-out', ben.email)).toEqual({ code: 0, out: 'Signed out 2 devices.\n', err: '' });
      expect([await statusOf(ben), await statusOf(other), await statusOf(ada)]).toEqual([401, 401, 200]);
      expect((await fetch(app.url + link)).status).toBe(404);
      expect(await json('sign-out', ben.email)).toEqual({ sessions: 0 });
    });

    it('sets the quota of a couple', { tags: ['running.admin.4'] }, async () => {
      expect(await json('quota', ada.email, '1.5GB')).toMatchObject({ quota: 1_610_612_736 });
      expect((await ada.call('GET /api/Memories/upload-info')).body.quotaBytes).toBe(1_610_612_736);
      expect((await admin('quota', ada.user.couple.id, 'none')).out).toMatch(
        /^The couple keeps [\d.]+ (bytes|KB), without a limit\.\n$/,
      );
      expect(await admin('quota', ada.email, 'much')).toMatchObject({ code: 1, out: '' });
    });

    it('suspends a space and resumes it', { tags: ['running.admin.4'] }, async () => {
      expect(await admin('suspend', ada.email)).toMatchObject({ code: 0 });
      expect(await statusOf(ada)).toBe(403);
      expect(await json('show', ada.user.couple.id)).toMatchObject({ suspended: true });
      expect(await json('resume', ada.email)).toMatchObject({ suspended: false });
      expect(await statusOf(ada)).toBe(200);
    });

    it('sends a mail to an address, and says what the mail server makes of it', {
      tags: ['mail.alarms.2'],
    }, async () => {
      const server = await startMailServer();
      const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'album@example.org' };
      const send = (...args: readonly string[]) =>
        runCommand('admin', { ...app.storage.env, ...env }, ['mail-test', ...args]);
      try {
        expect(await send('ada@example.org')).toEqual({
          code: 0,
          out: 'The mail server has taken the mail.\n',
          err: '',
        });
        expect(JSON.parse((await send('ada@example.org', '--json')).out)).toEqual({ sent: true });
        expect(server.received.map(({ to }) => to)).toEqual(['ada@example.org', 'ada@example.org']);
        expect(await send('nobody')).toMatchObject({ code: 1, err: 'nobody is not an email address.\n' });
        server.refuse = 554;
        const refused = await send('ada@example.org');
        expect(refused).toMatchObject({ code: 1, out: '' });
        expect(refused.err).toMatch(
          /^The mail server did not take the mail: it refused the mail \(.*554 Not now\)\.\n$/,
        );
      } finally {
        await server.close();
      }
      const without = await admin('mail-test', 'ada@example.org');
      expect(without).toMatchObject({ code: 1, err: 'SMTP_URL is not set, so the server sends no mail.\n' });
    });
  });

  it('deletes a couple with everything, after a look at what goes', { tags: ['running.admin.5'] }, async () => {
    const filesOf = async () => Array.fromAsync((await depsOf(app)).files.list(ada.user.couple.id));
    const first = await admin('delete', ada.email);
    expect(first).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nothing is deleted\. With --yes, /) as unknown,
    });
    expect(first.out).toContain('Keeps      2 dates, 1 photograph, ');
    expect(await statusOf(ada)).toBe(200);
    expect((await filesOf()).length).toBeGreaterThan(0);
    expect((await admin('delete', ada.user.couple.id, '--yes')).out).toMatch(/\nDeleted\.\n$/);
    expect(await statusOf(ada)).toBe(401);
    expect(await filesOf()).toEqual([]);
    expect((await admin('list')).out).not.toContain(ada.user.couple.id);
  });
});

it.each([[[]], [['list', 'all']], [['show', 'ada@example.org', '--yes']], [['toString', '--all']]])(
  'npm run admin explains itself after the arguments %j',
  { tags: ['running.admin.2'] },
  async (args) => {
    const { code, err } = await runCommand('admin', {}, args);
    expect(code).toBe(1);
    expect(err).toMatch(/^Usage: npm run admin -- COMMAND \[--json\]\n {2}list\n/);
  },
);

describeOnSqlite('deleting the only couple', (engine) => {
  it('opens the first registration again, with a setup code', { tags: ['running.admin.5'] }, async () => {
    const app = await startTestApp(engine, { env: { REGISTRATION: 'first', PUBLIC_URL: 'https://our.example' } });
    try {
      const ada = await registerAda(app);
      const status = async () => (await new Caller(app.url).call('GET /api/auth/status')).body;
      expect(await status()).toEqual({ registration: 'closed', needsSetupCode: false, mail: false, oidc: null });
      await runCommand('admin', app.storage.env, ['delete', ada.email, '--yes']);
      expect(await status()).toEqual({ registration: 'first', needsSetupCode: true, mail: false, oidc: null });
      expect(app.printed).toHaveLength(2);
      expect((await registerAda(app)).user.couple.id).not.toBe(ada.user.couple.id);
    } finally {
      await app.close();
    }
  });
});
