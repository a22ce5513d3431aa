import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { Caller, type Partner, registerAda, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { resetPassword } from './recovery/admin.ts';

const NEW_PASSWORD = 'another quiet evening';

/** The ways to a new password. */
const WAYS = ['a change', 'a recovery by the partner', 'a reset on the server'] as const;

describeOnBoth('a new password', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterAll(() => app.close());
  const nobody = () => new Caller(app.url);
  const lastPart = (url: string) => url.split('/').at(-1) ?? '';
  const invite = async (who: Partner) => (await who.call('POST /api/auth/invitations')).body.code;
  const recoverPartner = async (who: Partner) => lastPart((await who.call('POST /api/auth/recovery')).body.url);
  const subscribe = async (who: Partner) => (await who.call('POST /api/calendar')).body.url;
  const recover = (code: string) =>
    nobody().call('POST /api/auth/recovery/{code}', { params: { code }, body: { newPassword: NEW_PASSWORD } });
  const look = (code: string) => nobody().call('GET /api/auth/invitations/{code}', { params: { code } });
  const change = (who: Partner) =>
    who.call('PUT /api/auth/password', { body: { currentPassword: who.password, newPassword: NEW_PASSWORD } });
  const reset = ({ user }: Partner) => {
    const whose = { coupleId: user.couple.id as CoupleId, userId: user.id as UserId };
    return app.db.write((tx) => resetPassword(tx, whose, 'a hash'));
  };

  it.each(WAYS)('by %s ends the links that were made with the old one', async (way) => {
    const { ada, ben } = await registerCouple(app);
    const [forBen, calendar, bensCalendar] = [await recoverPartner(ada), await subscribe(ada), await subscribe(ben)];
    if (way === 'a change') expect((await change(ada)).status).toBe(204);
    if (way === 'a recovery by the partner') expect((await recover(await recoverPartner(ben))).status).toBe(204);
    if (way === 'a reset on the server') await reset(ada);

    expect((await recover(forBen)).status).toBe(404);
    expect((await fetch(calendar)).status).toBe(404);
    expect((await fetch(bensCalendar)).status).toBe(200);
    expect((await ben.call('GET /api/auth/session')).status).toBe(200);
  });

  it('ends the invitation that was made with the old one', async () => {
    const alone = await registerAda(app, 'alone@example.org');
    const code = await invite(alone);
    expect((await look(code)).status).toBe(200);
    expect((await change(alone)).status).toBe(204);
    expect((await look(code)).status).toBe(404);
    expect((await look(await invite(alone))).status).toBe(200);
  });
});
