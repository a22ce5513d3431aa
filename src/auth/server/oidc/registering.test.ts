import { expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { startOpenIdApp } from '../../../../tests/support/openid-app.ts';
import { startTestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../../tests/support/test-storage.ts';
import { useOpenIdApp } from '../../../../tests/support/use-openid-app.ts';

describeOnBoth('registering and joining with an OpenID provider', (engine) => {
  const openId = useOpenIdApp(engine);

  const usersWith = (email: string) =>
    openId.app.db.read.selectFrom('users').select('id').where('emailKey', '=', email).execute();

  it('fills the form in, and creates nothing before it is sent', { tags: ['openid.registering.1'] }, async () => {
    const login = openId.newLogin();
    const email = `${login}@openid.example`;
    openId.provider.people.set(login, { name: 'Cleo from openid', email });
    const browser = openId.browser();
    expect((await browser.roundTrip({ intent: 'register' }, login)).location).toBe('/auth/oidc');
    const form = await browser.call('GET /api/auth/oidc/finish', {});
    expect(form.body).toEqual({ intent: 'register', displayName: 'Cleo from openid', email });
    expect(await usersWith(email)).toEqual([]);
  });

  it('makes a couple with what the form says, once', {
    tags: ['openid.registering.1', 'openid.confirming.3'],
  }, async () => {
    const login = openId.newLogin();
    const { browser, finished } = await openId.register(login, { timeZone: 'Europe/Rome' });
    const person = { displayName: 'Cleo', email: `${login}@example.org` };
    expect(finished.status).toBe(201);
    expect(finished.body.user).toMatchObject({
      ...person,
      partner: null,
      couple: { timeZone: 'Europe/Rome' },
      signIn: { password: false, passkeys: 0, oidc: true },
    });
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(404);
    const again = openId.browser();
    await openId.signIn(again, login);
    expect((await again.renew()).body.user.id).toBe(finished.body.user.id);
  });

  it('makes an account that no password opens', { tags: ['openid.confirming.3'] }, async () => {
    const { finished } = await openId.register(openId.newLogin());
    const { email } = finished.body.user;
    const signIn = (password: string) =>
      new Caller(openId.app.url).call('POST /api/auth/login', { body: { email, password } });
    for (const password of ['', 'a quiet evening at home', 'no password set!']) {
      expect((await signIn(password)).status).toBe(401);
    }
  });

  it('takes an invitation once', { tags: ['openid.registering.2'] }, async () => {
    const { finished, browser: cleo } = await openId.register(openId.newLogin());
    const token = finished.body.token;
    const { body: invitation } = await new Caller(openId.app.url, token).call('POST /api/auth/invitations');
    const { code } = invitation;
    expect((await openId.browser().start({ intent: 'join', code: 'wrong' })).status).toBe(404);
    expect((await openId.browser().start({ intent: 'join' })).status).toBe(400);
    const [first, second] = [openId.browser(), openId.browser()];
    const login = openId.newLogin();
    expect((await first.roundTrip({ intent: 'join', code }, login)).location).toBe('/auth/oidc');
    expect((await second.roundTrip({ intent: 'join', code }, openId.newLogin())).location).toBe('/auth/oidc');
    expect((await first.call('GET /api/auth/oidc/finish', {})).body.intent).toBe('join');
    const person = { displayName: 'Dan', email: `${login}@example.org` };
    const joined = await first.call('POST /api/auth/oidc/finish', { body: person });
    expect(joined.body.user).toMatchObject({ displayName: 'Dan', partner: { displayName: 'Cleo' } });
    const late = { displayName: 'Eve', email: `eve-${login}@example.org` };
    expect((await second.call('POST /api/auth/oidc/finish', { body: late })).status).toBe(404);
    expect((await cleo.renew()).body.user.partner?.displayName).toBe('Dan');
  });

  it('tells a known identity that registers or joins that it has an account', {
    tags: ['openid.registering.3'],
  }, async () => {
    const login = openId.newLogin();
    await openId.connect(openId.ada, login);
    expect((await openId.browser().roundTrip({ intent: 'register' }, login)).location).toBe(
      '/auth/oidc?problem=elsewhere',
    );
    const second = openId.newLogin();
    const browser = openId.browser();
    await browser.roundTrip({ intent: 'register' }, second);
    await openId.connect(openId.ben, second);
    const person = { displayName: 'Cleo', email: `${second}@example.org` };
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(409);
    expect(await usersWith(person.email)).toEqual([]);
  });

  it('takes another e-mail after one that is in use', { tags: ['openid.registering.3'] }, async () => {
    const login = openId.newLogin();
    const { browser, finished } = await openId.register(login, { email: openId.ada.email.toUpperCase() });
    expect([finished.status, finished.problem.errors[0]?.field]).toEqual([409, 'email']);
    const person = { displayName: 'Cleo', email: `${login}@example.org` };
    expect((await browser.call('POST /api/auth/oidc/finish', { body: person })).status).toBe(201);
  });

  it('registers nobody if the operator has closed registration meanwhile', {
    tags: ['openid.registering.1'],
  }, async () => {
    const storage = await createTestStorage(engine);
    const before = await startOpenIdApp(engine, { storage });
    const browser = before.browser();
    const env = { ...before.provider.env, PORT: new URL(before.app.url).port };
    const body = { displayName: 'Cleo', email: 'cleo@example.org' };
    const finishWith = async (registration: string) => {
      const app = await startTestApp(engine, { storage, env: { ...env, REGISTRATION: registration } });
      const answer = await browser.call('POST /api/auth/oidc/finish', { body });
      const users = await app.db.read.selectFrom('users').select('id').execute();
      await app.close();
      return [answer.status, users.length];
    };
    try {
      try {
        expect((await browser.roundTrip({ intent: 'register' }, 'cleo')).location).toBe('/auth/oidc');
      } finally {
        await before.app.close();
      }
      expect(await finishWith('closed')).toEqual([403, 0]);
      // The visit is not used up.
      expect(await finishWith('open')).toEqual([201, 1]);
    } finally {
      await before.provider.stop();
      await storage.remove();
    }
  });
});
