import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { makePasskey } from '../../../../tests/support/authenticator.ts';
import { CALLS } from '../../../../tests/support/call-matrix.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, describeOnSqlite } from '../../../../tests/support/engines.ts';
import { addPhoto, completeDate, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { startPushService } from '../../../../tests/support/push-service.ts';
import { registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { CallName } from '../../../base/call.ts';
import { fillPath, splitName } from '../../../base/call.ts';
import { DAY } from '../../../base/durations.ts';
import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { emptyTrash } from '../../../memories/server/sweep/sweep.ts';
import { extendTrash } from '../../../memories/server/trash-store.ts';
import { sendDueReminders } from '../../../reminders/server/send-due-reminders.ts';
import { sweepDeletions } from '../couple/deletion-sweep.ts';
import { resumeCouple, suspendCouple } from './suspension-store.ts';

const TEXT = 'This space is suspended. Please ask the person who runs this server.';

describeOnBoth('a suspended space', (engine) => {
  let ahead = 0;
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let ben: Partner;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now, localPush: true, hasJobs: false });
    deps = { ...(await depsOf(app, now)), localPush: true };
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const coupleId = () => ada.user.couple.id as CoupleId;
  const suspend = () => app.db.write((tx) => suspendCouple(tx, coupleId(), now()));
  const resume = () =>
    app.db.write(async (tx) => extendTrash(tx, coupleId(), await resumeCouple(tx, coupleId(), now())));
  const nobody = () => new Caller(app.url);
  const login = (email: string, password: string) =>
    nobody().call('POST /api/auth/login', { body: { email, password } });
  const renew = (who: Partner, cookie = who.cookie) =>
    nobody().call('POST /api/auth/renew', {}, { headers: { cookie, origin: app.url } });

  it('is 403 with its text on every call of a member but signing out, and nothing is lost', {
    tags: ['running.suspended.1', 'running.suspended.6'],
  }, async () => {
    const { id } = await completeDate(ada, { at: Date.now() - DAY, minutes: 30 });
    const photo = await addPhoto(ada, id);
    await suspend();
    const params = { id, plannedDateId: id, fileName: photo.fileName, category: 'Food', code: 'x', secret: 'x' };
    const answers: Record<string, number> = {};
    for (const [name, { access }] of CALLS) {
      if (access === 'public' || access === 'renew' || access === 'signOut') continue;
      const { method, path } = splitName(name);
      const options = /^(GET|HEAD)/.test(name) ? {} : { raw: { type: 'text/plain', body: 'x' } };
      const filled = `${method} ${fillPath(path, params)}` as CallName;
      const { status, problem } = await new Caller(app.url, ada.token).request(filled, {}, options);
      answers[name] = status;
      if (method === 'GET') expect(problem).toMatchObject({ type: 'suspended', message: TEXT });
    }
    expect(Object.keys(answers).length).toBeGreaterThan(60);
    expect(Object.entries(answers).filter(([, status]) => status !== 403)).toEqual([]);
    expect((await renew(ada)).problem).toMatchObject({ status: 403, message: TEXT });
    const image = await fetch(app.url + photo.imageUrl, { headers: { cookie: ada.cookie } });
    expect(image.status).toBe(403);
    expect((await ada.call('POST /api/auth/logout')).status).toBe(204);
    expect((await renew(ada)).status).toBe(401);

    await resume();
    expect((await ben.call('GET /api/Memories')).body).toHaveLength(1);
    expect((await login(ada.email, ada.password)).status).toBe(200);
  });

  it('shows only to somebody who proves to be a member', { tags: ['running.suspended.2'] }, async () => {
    const { device } = await makePasskey(ada);
    await suspend();
    expect((await login(ada.email, ada.password)).problem).toMatchObject({ status: 403, message: TEXT });
    expect((await login(ada.email, 'not the password')).problem).toMatchObject({
      status: 401,
      message: 'Wrong email or password.',
    });
    const signIn = async () => {
      const { body: options } = await nobody().call('POST /api/auth/passkeys/sign-in/options');
      return nobody().call('POST /api/auth/passkeys/sign-in', { body: device.get(options, {}) });
    };
    expect((await signIn()).problem).toMatchObject({ status: 403, message: TEXT });
    expect((await new Caller(app.url, 'guessed').call('GET /api/DateIdeas')).status).toBe(401);
    expect((await nobody().call('POST /api/auth/renew', {}, { headers: { origin: app.url } })).status).toBe(401);
    await resume();
    expect((await signIn()).status).toBe(200);
  });

  it('answers 404 to its codes and feeds, which work again afterwards', {
    tags: ['running.suspended.3'],
  }, async () => {
    const alone = await registerAda(app, `alone-${crypto.randomUUID()}@example.org`);
    const { code } = (await alone.call('POST /api/auth/invitations')).body;
    const recovery = await makeAgreedRecovery(ben, ada);
    const feed = (await ada.call('POST /api/calendar')).body.url;
    const download = app.url + (await ada.call('POST /api/export')).body.url;
    const answers = async () => [
      (await nobody().call('GET /api/auth/invitations/{code}', { params: { code } })).status,
      (await fetch(feed)).status,
      (await fetch(download, { method: 'HEAD' })).status,
    ];
    const recover = async () => {
      const body = { newPassword: 'by the link alone' };
      return (await nobody().call('POST /api/auth/recovery/{code}', { params: { code: recovery }, body })).status;
    };
    const alonesId = alone.user.couple.id as CoupleId;
    await suspend();
    await app.db.write((tx) => suspendCouple(tx, alonesId, now()));
    expect(await answers()).toEqual([404, 404, 404]);
    expect(await recover()).toBe(404);
    await resume();
    await app.db.write((tx) => resumeCouple(tx, alonesId, now()));
    expect((await answers()).slice(0, 2)).toEqual([200, 200]);
    expect(await recover()).toBe(204);
  });

  it('ends the session of a browser that has signed out, when it asks for a token to say so', {
    tags: ['running.suspended.6'],
  }, async () => {
    await suspend();
    expect((await renew(ada, `${ada.cookie}; leaving=1`)).status).toBe(401);
    await resume();
    expect((await renew(ada)).status).toBe(401);
    expect((await renew(ben)).status).toBe(200);
  });

  it('gets no push, and what is still due once it is resumed', { tags: ['running.suspended.4'] }, async () => {
    const service = await startPushService();
    try {
      const browser = service.subscribe();
      await ben.call('PUT /api/reminders/device', { body: browser.subscription });
      await makeAgreedRecovery(ada, ada);
      await suspend();
      await sendDueReminders(deps);
      expect(browser.received).toEqual([]);
      await resume();
      await sendDueReminders(deps);
      expect(browser.received.map(({ notice }) => notice)).toMatchObject([{ kind: 'recovery' }]);
    } finally {
      await service.close();
    }
  });

  it('loses nothing to the time: its trash and a request to delete it stand still', {
    tags: ['running.suspended.5'],
  }, async () => {
    const { id } = await completeDate(ada, { at: now() - DAY, minutes: 30 });
    const photo = await addPhoto(ada, id);
    const planned = await planDate(ada, { at: now() + DAY });
    await ada.call('DELETE /api/Memories/{id}', { params: { id: photo.id } });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: planned.id } });
    await ada.call('POST /api/couple/deletion', { body: { currentPassword: ada.password } });
    ahead += 29 * DAY;
    await suspend();
    ahead += 40 * DAY;
    await emptyTrash(deps);
    await sweepDeletions(deps, () => false);
    await resume();
    const signedIn = async () => new Caller(app.url, (await login(ada.email, ada.password)).body.token);
    const trash = async () => (await (await signedIn()).call('GET /api/Trash')).body.map(({ id: entry }) => entry);
    expect(await trash()).toEqual([planned.id, photo.id]);
    expect((await (await signedIn()).call('DELETE /api/couple/deletion')).status).toBe(204);
    ahead += 2 * DAY;
    expect(await trash()).toEqual([]);
  });
});

describeOnSqlite('an open page of a suspended space', (engine) => {
  it('loses its stream of live changes', { tags: ['running.suspended.1'], timeout: 20_000 }, async () => {
    const app = await startTestApp(engine);
    try {
      const { ada } = await registerCouple(app);
      const response = await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${ada.token}` } });
      const reading = response.text();
      await app.db.write((tx) => suspendCouple(tx, ada.user.couple.id as CoupleId, Date.now()));
      await expect(reading).resolves.toContain('retry:');
    } finally {
      await app.close();
    }
  });
});
