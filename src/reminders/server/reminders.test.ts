import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth, onPostgresOnly, postgresAndS3 } from '../../../tests/support/engines.ts';
import { addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import { holdWrites } from '../../../tests/support/hold-writes.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { type SubscribedBrowser, startPushService } from '../../../tests/support/push-service.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { sendDueReminders } from './send-due-reminders.ts';
import { sweepReminders } from './sweep-reminders.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Saturday noon in Rome. */
const NOON = Date.parse('2026-11-21T12:00:00+01:00');

describeOnBoth('reminders', (engine) => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let ben: Partner;
  let adas: SubscribedBrowser;
  let bens: SubscribedBrowser;
  let now = NOON;
  const clock = () => now;
  beforeAll(async () => {
    service = await startPushService();
    app = await startTestApp(engine, { now: clock, localPush: true, hasJobs: false });
    deps = { ...(await depsOf(app, clock)), localPush: true };
  });
  beforeEach(async () => {
    now = NOON;
    ({ ada, ben } = await registerCouple(app, 'Europe/Rome'));
    [adas, bens] = [await tell(ada), await tell(ben)];
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });

  const tell = async (who: Partner) => {
    const browser = service.subscribe();
    const { status } = await who.call('PUT /api/reminders/device', { body: browser.subscription });
    expect(status).toBe(204);
    return browser;
  };
  const kinds = ({ received }: SubscribedBrowser) => received.map(({ notice }) => notice.kind);

  it("remind both partners of tomorrow's date and of one about to start, encrypted and signed, each once", {
    tags: ['reminders.1', 'reminders.4'],
  }, async () => {
    const date = await planDate(ada, {
      idea: { title: 'The slow lunch' },
      at: '2026-11-22T13:00:00+01:00',
      location: 'By the sea',
    });
    await sendDueReminders(deps);
    expect(kinds(adas)).toEqual([]);
    now = Date.parse('2026-11-21T18:00:00+01:00');
    await sendDueReminders(deps);
    await sendDueReminders(deps);
    expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
    const [pushed] = bens.received;
    expect(pushed?.notice).toEqual({
      kind: 'tomorrow',
      dateId: date.id,
      title: 'The slow lunch',
      location: 'By the sea',
      plannedDateTime: '2026-11-22T12:00:00.000Z',
      inProgress: false,
      added: null,
      formats: 'us',
    });
    expect(pushed?.signedBy).toBe((await ben.call('GET /api/reminders')).body.publicKey);
    expect(pushed?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: String(6 * 3600),
      urgency: 'normal',
    });
    now = Date.parse('2026-11-22T12:10:00+01:00');
    await sendDueReminders(deps);
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual(['tomorrow', 'starting']);
    expect(bens.received[1]?.headers).toMatchObject({ urgency: 'high' });
  });

  it('say no more of a surprise to the partner than its time', { tags: ['secrets.surprises.8'] }, async () => {
    const parts = { idea: { title: 'The slow lunch' }, location: 'By the sea', at: '2026-11-22T13:00:00+01:00' };
    const { id } = await planDate(ada, { ...parts, surprise: true });
    await addPhoto(ada, id);
    now = Date.parse('2026-11-21T18:00:00+01:00');
    await sendDueReminders(deps);
    expect(bens.received.map(({ notice }) => notice)).toMatchObject([
      { kind: 'tomorrow', dateId: id, title: 'A surprise', location: null },
    ]);
    expect(adas.received.map(({ notice }) => notice)).toMatchObject([
      { kind: 'tomorrow', dateId: id, title: 'The slow lunch', location: 'By the sea' },
    ]);
  });

  it('of photographs that were added before a date became a surprise are not sent', {
    tags: ['secrets.surprises.8'],
  }, async () => {
    const { id, plannedDateTime } = await planDate(ada, { at: NOON + 48 * HOUR });
    await addPhoto(ada, id);
    await ada.call('PUT /api/PlannedDates/{id}', { params: { id }, body: { plannedDateTime, surprise: true } });
    now += HOUR;
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual([]);
  });

  describe('of a couple with a time zone that does not exist', () => {
    let eve: Partner;
    const setZone = (timeZone: string) =>
      app.db.write((tx) =>
        tx
          .updateTable('couples')
          .set({ timeZone })
          .where('id', '=', eve.user.couple.id as CoupleId)
          .execute(),
      );
    beforeEach(async () => {
      ({ ada: eve } = await registerCouple(app, 'Europe/Rome'));
    });
    // Clean up, because later tests process all couples too.
    afterEach(() => setZone('Europe/Rome'));

    it("do not block other couples' reminders", { tags: ['reminders.6'] }, async () => {
      await tell(eve);
      for (const who of [eve, ada]) await planDate(who, { at: '2026-11-22T13:00:00+01:00' });
      await setZone('Mars/Olympus_Mons');
      now = Date.parse('2026-11-21T18:00:00+01:00');
      await sendDueReminders(deps);
      expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
    });

    it("are given up after some attempts, so that they don't fill the queue", { tags: ['reminders.6'] }, async () => {
      const browser = await tell(eve);
      browser.answers = 503;
      await planDate(eve, { at: '2026-11-22T13:00:00+01:00' });
      now = Date.parse('2026-11-21T18:00:00+01:00');
      await sendDueReminders(deps);
      await setZone('Mars/Olympus_Mons');
      for (let round = 0; round < 6; round += 1) {
        now += 20 * MINUTE;
        await sendDueReminders(deps);
      }
      const rows = await app.db.read
        .selectFrom('reminders')
        .select(['tries', 'doneAt'])
        .where('coupleId', '=', eve.user.couple.id as CoupleId)
        .execute();
      expect(rows.map(({ tries, doneAt }) => ({ tries, isDone: doneAt !== null }))).toEqual([
        { tries: 6, isDone: true },
      ]);
    });
  });

  it("ask 'How was it?' after a date that was not completed, and not of one that was", {
    tags: ['reminders.1', 'dates.went.4'],
  }, async () => {
    await planDate(ada, { idea: { title: 'Never begun' }, at: NOON - 4 * HOUR });
    await startDate(ada, { idea: { title: 'Begun' }, at: NOON - 4 * HOUR });
    await completeDate(ada, { at: NOON - 5 * HOUR, minutes: 60 });
    const off = await planDate(ada, { at: NOON - 4 * HOUR });
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: off.id } });
    const gone = await planDate(ada, { at: NOON - 4 * HOUR });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: gone.id } });
    const went = await planDate(ada, { at: NOON - 4 * HOUR });
    await ada.call('POST /api/PlannedDates/{id}/went', { params: { id: went.id }, body: {} });
    now += 4 * HOUR;
    await sendDueReminders(deps);
    const told = bens.received.map(({ notice }) => `${notice.kind} ${notice.title} ${notice.inProgress}`);
    expect(told.toSorted()).toEqual(['howWasIt Begun true', 'howWasIt Never begun false']);
  });

  it("announce photographs that the partner added, together, and never one's own", {
    tags: ['reminders.1'],
  }, async () => {
    const date = await completeDate(ada, { idea: { title: 'Stars' }, at: NOON - 48 * HOUR, minutes: 60 });
    for (const seed of [1, 2, 3]) await addPhoto(ada, date.id, seed);
    await expect.poll(() => app.db.read.selectFrom('addedPhotos').select('count').execute()).toEqual([{ count: 3 }]);
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual([]);
    now += 3 * MINUTE;
    await sendDueReminders(deps);
    await sendDueReminders(deps);
    expect(kinds(adas)).toEqual([]);
    expect(bens.received.map(({ notice }) => [notice.kind, notice.title, notice.added])).toEqual([
      ['photographs', 'Stars', { by: 'Ada', count: 3 }],
    ]);
    // A restored photograph doesn't count as just added.
    const back = await addPhoto(ada, date.id, 4);
    await expect.poll(() => app.db.read.selectFrom('addedPhotos').select('count').execute()).toEqual([{ count: 1 }]);
    now += HOUR;
    await sendDueReminders(deps);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: back.id } });
    await ada.call('POST /api/Trash/{id}/restore', { params: { id: back.id } });
    now += HOUR;
    await sendDueReminders(deps);
    expect(bens.received).toHaveLength(2);
  });

  it('are turned off one by one, per partner', { tags: ['reminders.2'] }, async () => {
    expect((await ben.call('GET /api/reminders')).body).toMatchObject({
      choices: { tomorrow: true, starting: true, howWasIt: true, photographs: true, notes: true },
      subscribed: true,
    });
    const { body } = await ben.call('PUT /api/reminders', { body: { tomorrow: false } });
    expect(body).toEqual({ tomorrow: false, starting: true, howWasIt: true, photographs: true, notes: true });
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    await sendDueReminders(deps);
    expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], []]);
    now = Date.parse('2026-11-22T12:30:00+01:00');
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual(['starting']);
  });

  it('end with the session, or when the device is switched off', { tags: ['reminders.2'] }, async () => {
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    await ada.call('POST /api/auth/logout');
    await ben.call('DELETE /api/reminders/device');
    expect((await ben.call('GET /api/reminders')).body.subscribed).toBe(false);
    await sendDueReminders(deps);
    expect([kinds(adas), kinds(bens)]).toEqual([[], []]);
    const kept = await app.db.read.selectFrom('pushDevices').select('coupleId').execute();
    expect(kept.map(({ coupleId }) => String(coupleId))).not.toContain(ada.user.couple.id);
  });

  it('delete a subscription that is gone, and retry while the push service is down', {
    tags: ['reminders.5'],
  }, async () => {
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    adas.answers = 410;
    bens.answers = 503;
    await sendDueReminders(deps);
    expect((await ada.call('GET /api/reminders')).body.subscribed).toBe(false);
    expect((await ben.call('GET /api/reminders')).body.subscribed).toBe(true);
    bens.answers = 201;
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual([]);
    now += 2 * MINUTE;
    await sendDueReminders(deps);
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual(['tomorrow']);
  });

  it("keep a device's new subscription when its old one is found gone", async () => {
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    adas.answers = 410;
    const again = service.subscribe();
    adas.before = async () => {
      await ada.call('PUT /api/reminders/device', { body: again.subscription });
    };
    await sendDueReminders(deps);
    expect((await ada.call('GET /api/reminders')).body.subscribed).toBe(true);
    now = Date.parse('2026-11-22T12:30:00+01:00');
    await sendDueReminders(deps);
    expect(kinds(again)).toContain('starting');
  });

  describe('after signing out and in', { tags: ['reminders.9'] }, () => {
    const device = '5f0f0f7e-0f3c-4c55-9d0a-3a4b5c6d7e8f';
    const signIn = async (who: Partner) => {
      const { body } = await new Caller(app.url).call('POST /api/auth/login', {
        body: { email: who.email, password: who.password },
      });
      return new Caller(app.url, body.token);
    };
    const tellAs = async (who: Caller, browser = service.subscribe(), more: object = {}) => {
      const body = { ...browser.subscription, ...more };
      expect((await who.call('PUT /api/reminders/device', { body })).status).toBe(204);
      return browser;
    };

    it('are not repeated on the same device, but are sent to another', async () => {
      await tellAs(ada, adas, { device });
      await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      now = Date.parse('2026-11-21T19:00:00+01:00');
      await sendDueReminders(deps);
      expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
      for (const who of [ada, ben]) await who.call('POST /api/auth/logout');
      const known = await tellAs(await signIn(ada), undefined, { device });
      const sameEndpoint = await tellAs(await signIn(ben), bens);
      const other = await tellAs(await signIn(ada), undefined, { device: crypto.randomUUID() });
      await sendDueReminders(deps);
      expect([kinds(known), kinds(sameEndpoint), kinds(other)]).toEqual([[], ['tomorrow'], ['tomorrow']]);
      now = Date.parse('2026-11-22T12:30:00+01:00');
      await sendDueReminders(deps);
      expect([kinds(known), kinds(other)]).toEqual([['starting'], ['tomorrow', 'starting']]);
      expect(kinds(sameEndpoint)).toEqual(['tomorrow', 'starting']);
    });

    it("are sent to a device on which the partner signs in, if the partner hasn't had them", async () => {
      await tellAs(ada, adas, { device });
      await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      now = Date.parse('2026-11-21T19:00:00+01:00');
      await ben.call('PUT /api/reminders', { body: { tomorrow: false } });
      await sendDueReminders(deps);
      await ada.call('POST /api/auth/logout');
      await ben.call('PUT /api/reminders', { body: { tomorrow: true } });
      const bensToo = await tellAs(await signIn(ben), undefined, { device });
      await sendDueReminders(deps);
      expect(kinds(bensToo)).toEqual(['tomorrow']);
    });

    it('come once per browser with two sessions', async () => {
      await tellAs(ada, adas, { device });
      const again = await tellAs(await signIn(ada), undefined, { device });
      await tellAs(await signIn(ben), bens);
      await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      now = Date.parse('2026-11-21T19:00:00+01:00');
      await sendDueReminders(deps);
      expect([kinds(adas), kinds(again), kinds(bens)]).toEqual([[], ['tomorrow'], ['tomorrow']]);
    });
  });

  onPostgresOnly(engine, () => {
    it('can be chosen on two devices at once, and neither choice is lost', { tags: ['reminders.10'] }, async () => {
      const choose = (body: object) => ada.call('PUT /api/reminders', { body });
      for (const wanted of [false, true]) {
        const claimReminder = await holdWrites(app.db, 'reminderChoices');
        const both = [choose({ tomorrow: wanted }), choose({ starting: wanted })];
        await expect.poll(claimReminder.waiting).toBe(2);
        await claimReminder.release();
        expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
        const { choices } = (await ada.call('GET /api/reminders')).body;
        expect(choices).toEqual({ tomorrow: wanted, starting: wanted, howWasIt: true, photographs: true, notes: true });
      }
      expect((await choose({})).body).toEqual({
        tomorrow: true,
        starting: true,
        howWasIt: true,
        photographs: true,
        notes: true,
      });
    });
  });

  it('skip a date that was moved or cancelled, and are sent again for its new time', {
    tags: ['reminders.5'],
  }, async () => {
    const date = await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    bens.answers = 503;
    await sendDueReminders(deps);
    const body = { plannedDateTime: '2026-11-25T13:00:00+01:00' };
    await ada.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    bens.answers = 201;
    now += 5 * MINUTE;
    await sendDueReminders(deps);
    expect(kinds(bens)).toEqual([]);
    now = Date.parse('2026-11-24T19:00:00+01:00');
    await sendDueReminders(deps);
    expect(bens.received.map(({ notice }) => notice.plannedDateTime)).toEqual(['2026-11-25T12:00:00.000Z']);
  });

  it('are sent once by several nodes, which share their keys', { tags: ['reminders.5'] }, async () => {
    // SQLite allows only one process, so run several rounds at once instead.
    const other =
      engine === postgresAndS3
        ? await startTestApp(engine, { now: clock, localPush: true, storage: app.storage, hasJobs: false })
        : app;
    const others = { ...(await depsOf(other, clock)), localPush: true };
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T19:00:00+01:00');
    await Promise.all([
      sendDueReminders(deps),
      sendDueReminders(others),
      sendDueReminders(deps),
      sendDueReminders(others),
    ]);
    await Promise.all([sendDueReminders(others), sendDueReminders(deps)]);
    expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
    expect(await app.db.read.selectFrom('vapidKeys').select('id').execute()).toHaveLength(1);
    if (other !== app) await other.close();
  });

  it('follow the time zone, also after a round with the old one', { tags: ['reminders.11'] }, async () => {
    await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
    now = Date.parse('2026-11-21T17:59:00+01:00');
    await sendDueReminders(deps);
    expect(kinds(adas)).toEqual([]);
    // In Helsinki it is 18:59.
    await ben.call('PUT /api/couple', { body: { timeZone: 'Europe/Helsinki' } });
    await sendDueReminders(deps);
    expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
  });

  describe('of all couples', () => {
    const MANY = 1_201;
    const coupleId = () => ada.user.couple.id as CoupleId;

    it('are queued and sent in batches until nothing is left', { tags: ['running.load.3'] }, async () => {
      const device = await app.db.read
        .selectFrom('pushDevices')
        .select(['coupleId', 'userId', 'sessionId'])
        .where('coupleId', '=', coupleId())
        .executeTakeFirstOrThrow();
      const fields = { kind: 'starting', dateId: 'gone', addedBy: null, count: null, tries: 0, doneAt: null } as const;
      const times = { until: now + HOUR, createdAt: now, heldUntil: 0 };
      const { id } = await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      const planned = await app.db.read
        .selectFrom('dates')
        .selectAll()
        .where('coupleId', '=', coupleId())
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const tonight = Date.parse('2026-11-21T20:00:00+01:00');
      // Later rounds look at the dates of all couples.
      onTestFinished(async () => {
        await app.db.write((tx) => tx.deleteFrom('dates').where('plannedDateTime', '=', tonight).execute());
      });
      const numbers = Array.from({ length: MANY }, (_, n) => n);
      await app.db.write(async (tx) => {
        await tx
          .insertInto('reminders')
          .values(numbers.map((n) => ({ ...device, key: `k${n}`, ...fields, ...times })))
          .execute();
        // They come before the other date, and no reminder of them is due.
        const earlier = numbers.map(() => ({ ...planned, id: crypto.randomUUID(), plannedDateTime: tonight }));
        await tx.insertInto('dates').values(earlier).execute();
      });
      now = Date.parse('2026-11-21T18:00:00+01:00');
      await sendDueReminders(deps);
      const open = await app.db.read
        .selectFrom('reminders')
        .select('key')
        .where('coupleId', '=', coupleId())
        .where('doneAt', 'is', null)
        .execute();
      expect(open).toEqual([]);
      expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
    });

    it('cost five queries and no write while none is due', { tags: ['running.load.3'] }, async () => {
      // The dates of other tests are long ago.
      now += 100 * 24 * HOUR;
      await sendDueReminders(deps);
      const write: Deps['db']['write'] = () => Promise.reject(new Error('a write'));
      const round = () => sendDueReminders({ ...deps, db: { ...deps.db, write } });
      expect(await countQueries(app, round)).toBe(5);
    });

    it('are deleted after thirty days', { tags: ['running.load.3'] }, async () => {
      await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      now = Date.parse('2026-11-21T18:00:00+01:00');
      await sendDueReminders(deps);
      expect(kinds(adas)).toEqual(['tomorrow']);
      now += 31 * 24 * HOUR;
      await sweepReminders(deps);
      for (const table of ['reminders', 'toldReminders'] as const) {
        const rows = app.db.read.selectFrom(table).select('key').where('coupleId', '=', coupleId());
        expect(await rows.execute()).toEqual([]);
      }
    });

    it('are not postponed by a clock that was wrong', { tags: ['reminders.11'] }, async () => {
      await planDate(ada, { at: '2026-11-22T13:00:00+01:00' });
      const right = Date.parse('2026-11-21T18:00:00+01:00');
      now = right + 365 * 24 * HOUR;
      await sendDueReminders(deps);
      now = right;
      await sendDueReminders(deps);
      expect([kinds(adas), kinds(bens)]).toEqual([['tomorrow'], ['tomorrow']]);
    });
  });

  it('refuse an invalid push service address, and invalid keys', async () => {
    const { subscription } = service.subscribe();
    for (const wrong of [
      { ...subscription, endpoint: 'https://10.0.0.1/push' },
      { ...subscription, endpoint: 'http://push.example/x' },
      { ...subscription, keys: { ...subscription.keys, auth: 'short' } },
      { endpoint: subscription.endpoint },
    ]) {
      expect((await ada.request('PUT /api/reminders/device', { body: wrong })).status).toBe(400);
    }
  });
});
