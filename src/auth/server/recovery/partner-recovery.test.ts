import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { type EventStream, subscribeToEvents } from '../../../../tests/support/event-stream.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { type SubscribedBrowser, startPushService } from '../../../../tests/support/push-service.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { DAY, HOUR } from '../../../base/durations.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { sendDueReminders } from '../../../reminders/server/send-due-reminders.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { createOperatorRecovery } from './operator-recovery.ts';

const NEW_PASSWORD = 'a new evening at home';
/** Thursday afternoon in Rome. */
const START = Date.parse('2026-11-26T15:30:00+01:00');

describeOnBoth('a link for a new password', (engine) => {
  let clock = START;
  let people = 0;
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine, { env: { TRUST_PROXY: '1' }, now: () => clock });
  });
  beforeEach(async () => {
    clock = START;
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
  });
  afterAll(() => app.close());
  const anywhere = () => {
    people += 1;
    return { headers: { 'x-forwarded-for': `203.0.${Math.floor(people / 250)}.${(people % 250) + 1}` } };
  };
  const nobody = () => new Caller(app.url);
  const make = async (who: Partner) => (await who.call('POST /api/auth/recovery')).body;
  const codeOf = ({ url }: { url: string }) => url.split('/').at(-1) ?? '';
  const recover = (code: string, body: object = {}) =>
    nobody().request(
      'POST /api/auth/recovery/{code}',
      { params: { code }, body: { newPassword: NEW_PASSWORD, ...body } },
      anywhere(),
    );
  const links = async (who: Partner) => (await who.call('GET /api/auth/recovery')).body;
  const agree = (who: Partner) => who.call('POST /api/auth/recovery/agree');
  const stop = (who: Partner) => who.call('DELETE /api/auth/recovery');
  const login = (who: Partner, password: string) =>
    nobody().call('POST /api/auth/login', { body: { email: who.email, password } }, anywhere());

  it('works after 24 hours, for 24 hours, and says from when in the couple’s zone', {
    tags: ['secrets.recovery.1', 'secrets.recovery.4'],
  }, async () => {
    const { status, body } = await ben.call('POST /api/auth/recovery');
    expect(status).toBe(201);
    expect(body.url).toMatch(new RegExp(`^${app.url}/auth/recover/[\\w-]{22}$`));
    const [usableAt, expiresAt] = [clock + DAY, clock + 2 * DAY].map(formatInstant);
    expect(body).toEqual({ url: body.url, usableAt, expiresAt });
    const standing = [{ for: ada.user.id, madeBy: ben.user.id, usableAt, expiresAt }];
    expect([await links(ada), await links(ben)]).toEqual([standing, standing]);

    clock += DAY - 1500;
    const early = await recover(codeOf(body), { newPassword: 'short' });
    expect(early.status).toBe(403);
    expect(early.problem.message).toBe('This link works from Friday, November 27, 2026 at 3:30 PM.');
    expect(early.headers.get('retry-after')).toBe('2');
    await ada.call('PUT /api/auth/profile', { body: { formats: 'international' } });
    expect((await recover(codeOf(body))).problem.message).toBe(
      'This link works from Friday, 27 November 2026 at 15:30.',
    );
    clock += 1500;
    expect((await recover(codeOf(body))).status).toBe(204);
    expect(await links(ben)).toEqual([]);

    const late = await make(ben);
    clock += 2 * DAY;
    expect((await recover(codeOf(late))).status).toBe(404);
    expect(await links(ben)).toEqual([]);
  });

  it('counts no try before its time as a failure', { tags: ['secrets.recovery.1', 'secrets.recovery.4'] }, async () => {
    const body = await make(ben);
    const from = anywhere();
    const attempt = () =>
      nobody().call(
        'POST /api/auth/recovery/{code}',
        { params: { code: codeOf(body) }, body: { newPassword: NEW_PASSWORD } },
        from,
      );
    for (let count = 0; count < 11; count += 1) expect((await attempt()).status).toBe(403);
  });

  it('works at once, for an hour, when the one whom it is for agrees', { tags: ['secrets.recovery.3'] }, async () => {
    expect((await agree(ada)).status).toBe(404);
    const body = await make(ben);
    expect((await agree(ben)).status).toBe(404);
    clock += HOUR;
    expect((await agree(ada)).status).toBe(204);
    const [usableAt, expiresAt] = [clock, clock + HOUR].map(formatInstant);
    expect(await links(ben)).toEqual([{ for: ada.user.id, madeBy: ben.user.id, usableAt, expiresAt }]);
    clock += HOUR - 1;
    const all = await Promise.all(Array.from({ length: 5 }, () => recover(codeOf(body))));
    expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 404, 404, 404, 404]);

    ({ ada, ben } = await registerCouple(app));
    await make(ben);
    expect((await agree(ada)).status).toBe(204);
    clock += HOUR;
    expect(await links(ada)).toEqual([]);
    expect((await agree(ada)).status).toBe(404);
  });

  it('is stopped by either partner, with the one in the other direction', {
    tags: ['secrets.recovery.3'],
  }, async () => {
    expect((await stop(ada)).status).toBe(404);
    for (const stopper of [ada, ben]) {
      const [forAda, forBen] = [await make(ben), await make(ada)];
      await agree(ada);
      expect(await links(ada)).toHaveLength(2);
      expect((await stop(stopper)).status).toBe(204);
      expect((await stop(ada)).status).toBe(404);
      expect(await links(ben)).toEqual([]);
      expect((await recover(codeOf(forAda))).status).toBe(404);
      clock += DAY;
      expect((await recover(codeOf(forBen))).status).toBe(404);
    }
  });

  it('sends both partners a change when it is made, agreed to and stopped', {
    tags: ['secrets.recovery.3'],
  }, async () => {
    const [adas, bens] = [await subscribeToEvents(ada), await subscribeToEvents(ben)];
    const id = ada.user.couple.id;
    // The other's subscription makes an idea.
    const nextOfCouple = async (stream: EventStream) => {
      for (;;) {
        const change = await stream.next();
        if (change.entity === 'couple') return change;
      }
    };
    const expectChange = async (by: Partner) => {
      const change = { entity: 'couple', id, action: 'updated', by: by.user.id };
      expect([await nextOfCouple(adas), await nextOfCouple(bens)]).toEqual([change, change]);
    };
    await make(ben);
    await expectChange(ben);
    await agree(ada);
    await expectChange(ada);
    await stop(ben);
    await expectChange(ben);
    await make(ben);
    await expectChange(ben);
    const changed = { currentPassword: ada.password, newPassword: 'changed by herself' };
    expect((await ada.call('PUT /api/auth/password', { body: changed })).status).toBe(204);
    await expectChange(ada);
    adas.close();
    bens.close();
  });

  it('ends all sessions of its user, and removes the passkeys unless they are kept', {
    tags: ['secrets.recovery.5'],
  }, async () => {
    await makePasskey(ada);
    expect((await recover(await makeAgreedRecovery(ben, ada))).status).toBe(204);
    expect((await ada.call('GET /api/auth/session')).status).toBe(401);
    expect((await ben.call('GET /api/auth/session')).status).toBe(200);
    expect((await login(ada, ada.password)).status).toBe(401);
    expect((await login(ben, ben.password)).status).toBe(200);
    const again = new Caller(app.url, (await login(ada, NEW_PASSWORD)).body.token);
    expect((await again.call('GET /api/auth/passkeys')).body).toEqual([]);

    await makePasskey(ben);
    const [code, kept] = [await makeAgreedRecovery(again, ben), true];
    expect((await recover(code, { keepPasskeys: 'yes' })).status).toBe(400);
    expect((await recover(code, { keepPasskeys: kept })).status).toBe(204);
    const bens = new Caller(app.url, (await login(ben, NEW_PASSWORD)).body.token);
    expect((await bens.call('GET /api/auth/passkeys')).body).toHaveLength(1);
  });

  it('ends every other link for a new password, of the operator and in the other direction too', {
    tags: ['secrets.recovery.5'],
  }, async () => {
    const operators = await operatorsCode(ada);
    const forBen = await makeAgreedRecovery(ada, ben);
    expect((await recover(await makeAgreedRecovery(ben, ada))).status).toBe(204);
    expect((await recover(operators)).status).toBe(404);
    expect((await recover(forBen)).status).toBe(404);
  });

  it('is checked before the password, and stays valid when the password is refused', {
    tags: ['secrets.recovery.1', 'secrets.recovery.4'],
  }, async () => {
    const code = await makeAgreedRecovery(ben, ada);
    expect((await recover('wrong', { newPassword: 'short' })).status).toBe(404);
    const short = await recover(code, { newPassword: 'short' });
    expect([short.status, short.problem.errors.map(({ field }) => field)]).toEqual([400, ['newPassword']]);
    expect((await recover(code)).status).toBe(204);
  });

  it('is not available without a partner', { tags: ['secrets.recovery.1', 'secrets.recovery.4'] }, async () => {
    const alone = await registerAda(app, 'alone@example.org');
    expect((await alone.call('POST /api/auth/recovery')).status).toBe(409);
    expect((await alone.call('GET /api/auth/recovery')).body).toEqual([]);
  });

  it('becomes invalid when a new one is made, and when its user has changed the password', {
    tags: ['secrets.recovery.1', 'secrets.recovery.4'],
  }, async () => {
    const old = await make(ben);
    const code = await makeAgreedRecovery(ben, ada);
    expect(await links(ada)).toHaveLength(1);
    expect((await recover(codeOf(old))).status).toBe(404);
    const body = { currentPassword: ada.password, newPassword: 'changed by herself' };
    expect((await ada.call('PUT /api/auth/password', { body })).status).toBe(204);
    expect((await recover(code)).status).toBe(404);
    expect(await links(ben)).toEqual([]);
  });

  it('of the operator works at once, is not listed, and neither voids nor stops with the partner’s', {
    tags: ['secrets.recovery.5'],
  }, async () => {
    const operators = await operatorsCode(ada);
    const partners = await makeAgreedRecovery(ben, ada);
    expect(await links(ada)).toHaveLength(1);
    expect((await stop(ada)).status).toBe(204);
    expect((await recover(partners)).status).toBe(404);
    expect((await recover(operators)).status).toBe(204);
  });

  it('that a partner made with an older version, which would work at once, works no more', {
    tags: ['secrets.recovery.5'],
  }, async () => {
    const code = newSecret(128);
    const row = { kind: 'recovery', createdBy: ben.user.id as UserId, forUser: ada.user.id as UserId } as const;
    await app.db.write((tx) =>
      tx
        .insertInto('codes')
        .values({
          coupleId: ada.user.couple.id as CoupleId,
          id: crypto.randomUUID(),
          ...row,
          codeHash: hashOfSecret(code),
          createdAt: clock,
          usableAt: null,
          expiresAt: clock + HOUR,
          usedAt: null,
        })
        .execute(),
    );
    expect((await recover(code)).status).toBe(404);
  });

  async function operatorsCode({ user }: Partner): Promise<string> {
    const account = { coupleId: user.couple.id as CoupleId, userId: user.id as UserId };
    const path = await app.db.write((tx) => createOperatorRecovery(tx, account, clock));
    return path.split('/').at(-1) ?? '';
  }
});

describeOnBoth('the push of a link for a new password', (engine) => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    service = await startPushService();
    app = await startTestApp(engine, { localPush: true, hasJobs: false });
    deps = { ...(await depsOf(app)), localPush: true };
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });
  const subscribe = async (who: Partner): Promise<SubscribedBrowser> => {
    const browser = service.subscribe();
    await who.call('PUT /api/reminders/device', { body: browser.subscription });
    return browser;
  };

  it('goes to the devices of the one whom it is for, once, whatever reminders they want', {
    tags: ['secrets.recovery.2'],
  }, async () => {
    const [adas, bens] = [await subscribe(ada), await subscribe(ben)];
    const none = { tomorrow: false, starting: false, howWasIt: false, photographs: false, notes: false };
    await ada.call('PUT /api/reminders', { body: none });
    await ben.call('POST /api/auth/recovery');
    for (let round = 0; round < 2; round += 1) await sendDueReminders(deps);
    expect(bens.received).toEqual([]);
    expect(adas.received.map(({ notice }) => notice)).toEqual([{ kind: 'recovery', by: 'Ben' }]);
    expect(adas.received[0]?.headers).toMatchObject({ urgency: 'high' });
  });

  it('is not sent once the link is stopped', { tags: ['secrets.recovery.2'] }, async () => {
    const adas = await subscribe(ada);
    await ben.call('POST /api/auth/recovery');
    await ada.call('DELETE /api/auth/recovery');
    await sendDueReminders(deps);
    expect(adas.received).toEqual([]);
  });
});
