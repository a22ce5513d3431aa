import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../tests/support/agreed-recovery.ts';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth, onPostgresOnly } from '../../../tests/support/engines.ts';
import { holdRequest } from '../../../tests/support/hold-request.ts';
import { holdWrites } from '../../../tests/support/hold-writes.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { CallName } from '../../base/call.ts';
import { MINUTE } from '../../base/durations.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { readConfig } from '../../base/server/process/config.ts';
import { resetPassword } from './recovery/operator-recovery.ts';

const NEW_PASSWORD = 'another quiet evening';

/** The ways to a new password. */
const WAYS = ['a change', 'a recovery by the partner', 'a reset on the server'] as const;

/** The calls that give or change access, with their bodies; `true` if only a user without a partner may make it. */
const GIVING: readonly [name: CallName, body?: object, isAlone?: boolean][] = [
  ['POST /api/auth/invitations', {}, true],
  ['POST /api/auth/recovery'],
  ['POST /api/auth/recovery/agree'],
  ['DELETE /api/auth/recovery'],
  ['POST /api/calendar'],
  ['POST /api/export'],
  ['PUT /api/auth/profile', { displayName: 'Eve', email: 'eve@example.org' }],
  ['DELETE /api/auth/passkeys/{id}'],
  ['DELETE /api/auth/sessions/{id}'],
  ['DELETE /api/calendar'],
  [
    'PUT /api/reminders/device',
    {
      endpoint: 'https://fcm.googleapis.com/x',
      keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
    },
  ],
];

describeOnBoth('a new password', (engine) => {
  let app: TestApp;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now });
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const invite = async (who: Partner) => (await who.call('POST /api/auth/invitations')).body.code;
  const subscribe = async (who: Partner) => (await who.call('POST /api/calendar')).body.url;
  const recover = (code: string) =>
    nobody().call('POST /api/auth/recovery/{code}', { params: { code }, body: { newPassword: NEW_PASSWORD } });
  const look = (code: string) => nobody().call('GET /api/auth/invitations/{code}', { params: { code } });
  const change = (who: Partner) =>
    who.call('PUT /api/auth/password', { body: { currentPassword: who.password, newPassword: NEW_PASSWORD } });
  const reset = ({ user }: Partner) => {
    const whose = { coupleId: user.couple.id as CoupleId, userId: user.id as UserId };
    return app.db.write((tx) =>
      resetPassword({ config: readConfig(app.storage.env), now: Date.now }, tx, whose, 'a hash'),
    );
  };

  const lastUseOf = async ({ user }: Partner) => {
    const sessions = app.db.read.selectFrom('sessions').select(({ fn }) => fn.max('lastUsedAt').as('at'));
    return Number((await sessions.where('userId', '=', user.id as UserId).executeTakeFirstOrThrow()).at);
  };

  it.each(WAYS)(
    'by %s ends the links that were made with the old one',
    { tags: ['accounts.settings.3'] },
    async (way) => {
      const { ada, ben } = await registerCouple(app);
      const [forBen, calendar, bensCalendar] = [
        await makeAgreedRecovery(ada, ben),
        await subscribe(ada),
        await subscribe(ben),
      ];
      if (way === 'a change') expect((await change(ada)).status).toBe(204);
      if (way === 'a recovery by the partner')
        expect((await recover(await makeAgreedRecovery(ben, ada))).status).toBe(204);
      if (way === 'a reset on the server') await reset(ada);

      expect((await recover(forBen)).status).toBe(404);
      expect((await fetch(calendar)).status).toBe(404);
      expect((await fetch(bensCalendar)).status).toBe(200);
      expect((await ben.call('GET /api/auth/session')).status).toBe(200);
    },
  );

  it('ends the invitation that was made with the old one', { tags: ['accounts.settings.3'] }, async () => {
    const alone = await registerAda(app, 'alone@example.org');
    const code = await invite(alone);
    expect((await look(code)).status).toBe(200);
    expect((await change(alone)).status).toBe(204);
    expect((await look(code)).status).toBe(404);
    expect((await look(await invite(alone))).status).toBe(200);
  });

  it.each(GIVING)(
    'by a change leaves nothing to %s when its body arrives afterwards',
    { tags: ['accounts.sessions.16'] },
    async (name, body, isAlone) => {
      const email = `${uuidv7()}@example.org`;
      const ada = isAlone ? await registerAda(app, email) : (await registerCouple(app)).ada;
      const login = { body: { email: ada.email, password: ada.password } };
      const { token } = (await nobody().call('POST /api/auth/login', login)).body;
      ahead += 6 * MINUTE;
      const heldAt = now();
      const send = holdRequest(new Caller(app.url, token), name, { params: { id: uuidv7() }, body });
      // A session that was not used for five minutes is saved as used once a request has passed authentication.
      await expect.poll(() => lastUseOf(ada)).toBeGreaterThanOrEqual(heldAt);
      expect((await change(ada)).status).toBe(204);

      expect(await send()).toBe(401);
      const { id: coupleId } = ada.user.couple;
      for (const table of ['codes', 'calendarLinks', 'pushDevices'] as const) {
        const rows = app.db.read.selectFrom(table as 'codes').selectAll();
        expect(await rows.where('coupleId', '=', coupleId as CoupleId).execute()).toEqual([]);
      }
      expect((await ada.call('GET /api/auth/session')).body.user.email).toBe(ada.email);
    },
  );

  onPostgresOnly(engine, () => {
    it('ends a link that is being made at the same moment', { tags: ['accounts.sessions.16'] }, async () => {
      const { ada, ben } = await registerCouple(app);
      const code = await makeAgreedRecovery(ben, ada);
      const hold = await holdWrites(app.db, 'calendarLinks');
      const subscribing = subscribe(ada);
      await expect.poll(hold.waiting).toBe(1);
      const recovering = recover(code);
      await expect.poll(hold.waiting).toBe(2);
      await hold.release();
      expect((await recovering).status).toBe(204);
      expect((await fetch(await subscribing)).status).toBe(404);
    });
  });
});
