import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth, onPostgresOnly } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { type SubscribedBrowser, startPushService } from '../../../tests/support/push-service.ts';
import { joinAsBen, registerAda, registerCouple } from '../../../tests/support/register-couple.ts';
import { depsOf } from '../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, MINUTE } from '../../base/durations.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { sendDueReminders } from '../../reminders/server/send-due-reminders.ts';
import { NOTE_REFUSED } from '../rules.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const NOTHING = { mine: null, theirs: null, theirsWritten: false, revealed: false };

describeOnBoth('two notes', (engine) => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let ben: Partner;
  let date: string;
  let now = NOON;
  const clock = () => now;
  beforeAll(async () => {
    service = await startPushService();
    app = await startTestApp(engine, { now: clock, localPush: true, hasJobs: false });
    deps = { ...(await depsOf(app, clock)), localPush: true };
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });
  beforeEach(async () => {
    now = NOON;
    ({ ada, ben } = await registerCouple(app));
    ({ id: date } = await completeDate(ada, { idea: { title: 'The slow lunch' }, at: NOON - DAY, minutes: 90 }));
  });

  const read = (who: Caller, id = date) => who.call('GET /api/PlannedDates/{id}/notes', { params: { id } });
  const write = (who: Caller, text: string, hearts?: number | null, id = date) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text, hearts } });
  const takeBack = (who: Caller, id = date) => who.call('DELETE /api/PlannedDates/{id}/notes/mine', { params: { id } });
  const tell = async (who: Partner): Promise<SubscribedBrowser> => {
    const browser = service.subscribe();
    expect((await who.call('PUT /api/reminders/device', { body: browser.subscription })).status).toBe(204);
    return browser;
  };
  const told = ({ received }: SubscribedBrowser) => received.map(({ notice: { kind, title } }) => `${kind} ${title}`);
  const at = (ms: number) => new Date(ms).toISOString();

  it('are sealed until both are written, and open for both then', { tags: ['notes.1'] }, async () => {
    expect((await read(ada)).body).toEqual(NOTHING);
    const first = await write(ada, '  We missed the train.\r\nTwice. ', 5);
    const adas = { text: 'We missed the train.\nTwice.', hearts: 5, writtenAt: at(NOON) };
    expect([first.status, first.body]).toEqual([200, { ...NOTHING, mine: adas }]);
    expect((await read(ada)).body).toEqual(first.body);
    expect((await read(ben)).body).toEqual({ ...NOTHING, theirsWritten: true });
    now += MINUTE;
    const bens = { text: 'You fell asleep.', hearts: null, writtenAt: at(now) };
    const second = await write(ben, bens.text);
    const opened = { theirsWritten: true, revealed: true };
    expect(second.body).toEqual({ mine: bens, theirs: adas, ...opened });
    expect((await read(ben)).body).toEqual(second.body);
    expect((await read(ada)).body).toEqual({ mine: adas, theirs: bens, ...opened });
  });

  it('can be changed and taken back until both are written, and not after', { tags: ['notes.4'] }, async () => {
    await write(ada, 'A first try', 2);
    now += MINUTE;
    expect((await write(ada, 'A better one')).body.mine).toEqual({
      text: 'A better one',
      hearts: null,
      writtenAt: at(now),
    });
    now += MINUTE;
    // The same again changes nothing, not even its time.
    expect((await write(ada, 'A better one', null)).body.mine?.writtenAt).toBe(at(now - MINUTE));
    expect((await takeBack(ada)).status).toBe(204);
    expect((await takeBack(ada)).status).toBe(404);
    expect((await takeBack(ben)).status).toBe(404);
    expect((await read(ben)).body).toEqual(NOTHING);
    await write(ada, 'The last one', 1);
    await write(ben, 'Mine', 3);
    const open = (await read(ada)).body;
    for (const who of [ada, ben]) {
      expect([(await write(who, 'Too late')).status, (await takeBack(who)).status]).toEqual([409, 409]);
      expect((await write(who, 'Too late')).problem.message).toBe(NOTE_REFUSED.revealed);
    }
    expect((await read(ada)).body).toEqual(open);
  });

  it('are written about completed dates only', { tags: ['notes.3'] }, async () => {
    const planned = await planDate(ada, { at: NOON });
    const running = await startDate(ada, { at: NOON });
    for (const { id } of [planned, running]) {
      expect((await read(ada, id)).body).toEqual(NOTHING);
      const { status, problem } = await write(ada, 'Too early', null, id);
      expect([status, problem.message]).toEqual([409, NOTE_REFUSED.notCompleted]);
      expect((await takeBack(ada, id)).status).toBe(404);
    }
  });

  it.each([
    ['no text', { hearts: 1 }, 'text', 'Note is required'],
    ['a blank text', { text: ' \n ' }, 'text', 'Note is required'],
    ['a text of 2,001 characters', { text: 'x'.repeat(2001) }, 'text', 'Note cannot exceed 2000 characters'],
    ['no heart', { text: 'x', hearts: 0 }, 'hearts', 'Hearts must be a whole number from 1 to 5'],
    ['six hearts', { text: 'x', hearts: 6 }, 'hearts', 'Hearts must be a whole number from 1 to 5'],
    ['half a heart', { text: 'x', hearts: 2.5 }, 'hearts', 'Hearts must be a whole number from 1 to 5'],
    ['hearts in words', { text: 'x', hearts: 'five' }, 'hearts', 'Hearts must be a whole number from 1 to 5'],
  ])('refuse %s', async (_, body, field, message) => {
    const answer = await ada.request('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date }, body });
    expect(answer.status).toBe(400);
    expect(answer.problem.errors).toEqual([{ field, message }]);
  });

  it('take 2,000 characters, each emoji one of them', { tags: ['notes.2'] }, async () => {
    const text = '💌'.repeat(2000);
    expect((await write(ada, text, 5)).body.mine?.text).toBe(text);
  });

  it('change neither the date nor its ETag', async () => {
    const get = () => ben.call('GET /api/PlannedDates/{id}', { params: { id: date } });
    const before = await get();
    now += MINUTE;
    await write(ada, 'We missed the train.');
    await write(ben, 'You fell asleep.');
    const after = await get();
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  });

  it('written at the same moment reveal both, once', { tags: ['notes.5'] }, async () => {
    const [adas, bens] = [await tell(ada), await tell(ben)];
    for (let round = 0; round < 5; round += 1) {
      const { id } = await completeDate(ada, { idea: { title: `Round ${round}` }, at: NOON - DAY, minutes: 5 });
      const events = await subscribeToEvents(ben);
      const both = await Promise.all([write(ada, 'Mine', 1, id), write(ben, 'And mine', 2, id)]);
      // The second one sees both, the first one only its own.
      expect(both.map(({ body }) => String(body.revealed)).toSorted()).toEqual(['false', 'true']);
      for (const who of [ada, ben]) expect((await read(who, id)).body).toMatchObject({ revealed: true });
      const changes = [await events.next(), await events.next()];
      expect(changes.map((change) => [change.entity, change.id, change.action])).toEqual([
        ['plannedDate', id, 'updated'],
        ['plannedDate', id, 'updated'],
      ]);
      events.close();
      now += MINUTE;
      await sendDueReminders(deps);
      await sendDueReminders(deps);
      for (const browser of [adas, bens]) expect(told(browser)).toHaveLength(round + 1);
    }
  });

  onPostgresOnly(engine, () => {
    it('written at the same moment on two nodes reveal both, once', { tags: ['notes.5'] }, async () => {
      const other = await startTestApp(engine, { storage: app.storage, now: clock, localPush: true, hasJobs: false });
      const [adas, bens] = [await tell(ada), await tell(ben)];
      for (let round = 0; round < 8; round += 1) {
        const { id } = await completeDate(ada, { idea: { title: `Round ${round}` }, at: NOON - DAY, minutes: 5 });
        const both = await Promise.all([write(ada, 'Mine', 1, id), write(ben.at(other), 'And mine', 2, id)]);
        expect(both.map(({ status, body }) => `${status} ${body.revealed}`).toSorted()).toEqual([
          '200 false',
          '200 true',
        ]);
        for (const who of [ada.at(other), ben]) expect((await read(who, id)).body).toMatchObject({ revealed: true });
      }
      await sendDueReminders(deps);
      for (const browser of [adas, bens]) expect(new Set(told(browser)).size).toBe(8);
      for (const browser of [adas, bens]) expect(told(browser)).toHaveLength(8);
      await other.close();
    });
  });

  it('changed while the partner opens them: the change counts, or loses with 409', { tags: ['notes.4'] }, async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await completeDate(ada, { at: NOON - DAY, minutes: 5 });
      await write(ada, 'Before', null, id);
      const [changed, opened] = await Promise.all([write(ada, 'After', null, id), write(ben, 'Mine', null, id)]);
      expect(opened.status).toBe(200);
      const text = changed.status === 200 ? 'After' : 'Before';
      expect([200, 409]).toContain(changed.status);
      expect(opened.body.theirs?.text).toBe(text);
      expect((await read(ada, id)).body.mine?.text).toBe(text);
    }
  });

  it('are announced to both pages when one waits, is taken back, and when both open', {
    tags: ['secrets.notes.2'],
  }, async () => {
    const events = await subscribeToEvents(ben);
    const next = async () => {
      const { entity, id, action, by } = await events.next();
      return { entity, id, action, by };
    };
    const change = { entity: 'plannedDate', id: date, action: 'updated' };
    await write(ada, 'We missed the train.');
    expect(await next()).toEqual({ ...change, by: ada.user.id });
    await takeBack(ada);
    expect(await next()).toEqual({ ...change, by: ada.user.id });
    await write(ada, 'We missed it twice.');
    expect(await next()).toEqual({ ...change, by: ada.user.id });
    await write(ben, 'You fell asleep.');
    expect(await next()).toEqual({ ...change, by: ben.user.id });
    events.close();
  });

  it('that are sealed are changed without an event for the partner', { tags: ['secrets.notes.2'] }, async () => {
    await write(ada, 'We missed the train.');
    const own = await subscribeToEvents(ada);
    const events = await subscribeToEvents(ben);
    await write(ada, 'We missed it twice.');
    await write(ada, 'We missed it twice.');
    // Her own other pages learn of it.
    await expect.poll(async () => (await own.next()).entity).toBe('plannedDate');
    own.close();
    // Changes arrive in order: an event of the note would come first.
    const { id } = await planDate(ada);
    expect((await events.next()).entity).toBe('dateIdea');
    expect(await events.next()).toMatchObject({ id });
    events.close();
  });

  it('send a push to both when they open, and none before', { tags: ['notes.6'] }, async () => {
    const [adas, bens] = [await tell(ada), await tell(ben)];
    await write(ada, 'We missed the train.');
    await write(ada, 'We missed it twice.');
    now += MINUTE;
    await sendDueReminders(deps);
    expect([told(adas), told(bens)]).toEqual([[], []]);
    await write(ben, 'You fell asleep.');
    await sendDueReminders(deps);
    await sendDueReminders(deps);
    expect([told(adas), told(bens)]).toEqual([['notes The slow lunch'], ['notes The slow lunch']]);
    expect(JSON.stringify(bens.received)).not.toContain('train');
  });

  it('send no push to a partner who does not want it', { tags: ['notes.6'] }, async () => {
    const [adas, bens] = [await tell(ada), await tell(ben)];
    await ben.call('PUT /api/reminders', { body: { notes: false } });
    await write(ada, 'We missed the train.');
    await write(ben, 'You fell asleep.');
    await sendDueReminders(deps);
    expect([told(adas), told(bens)]).toEqual([['notes The slow lunch'], []]);
  });

  it('go to the trash with their date, and come back with it', { tags: ['notes.20'] }, async () => {
    await write(ada, 'We missed the train.', 4);
    await write(ben, 'You fell asleep.');
    const before = (await read(ada)).body;
    const params = { id: date };
    await ben.call('DELETE /api/PlannedDates/{id}', { params });
    expect((await read(ada)).status).toBe(404);
    expect((await write(ada, 'Gone')).status).toBe(404);
    expect((await takeBack(ada)).status).toBe(404);
    await ada.call('POST /api/Trash/{id}/restore', { params });
    expect((await read(ada)).body).toEqual(before);
    await ben.call('DELETE /api/PlannedDates/{id}', { params });
    expect((await ada.call('DELETE /api/Trash/{id}', { params })).status).toBe(204);
    expect(await rowsOf(ada)).toEqual([]);
  });

  const rowsOf = (who: Partner) =>
    app.db.read
      .selectFrom('notes')
      .select(['userId', 'text'])
      .where('coupleId', '=', who.user.couple.id as CoupleId)
      .execute();

  describe('without a partner', () => {
    it('one’s own is shown as revealed, and is sealed to a partner who joins', { tags: ['notes.7'] }, async () => {
      const eve = await registerAda(app, `eve-${crypto.randomUUID()}@example.org`);
      const { id } = await completeDate(eve, { at: NOON - DAY, minutes: 5 });
      const alone = await write(eve, 'Just me.', 3, id);
      expect(alone.body).toMatchObject({ mine: { text: 'Just me.' }, theirs: null, revealed: true });
      expect((await write(eve, 'Not me.', 3, id)).status).toBe(409);
      const adam = await joinAsBen(app, eve, `adam-${crypto.randomUUID()}@example.org`);
      expect((await read(adam, id)).body).toEqual({ ...NOTHING, theirsWritten: true });
      expect((await write(adam, 'And me.', 4, id)).body).toMatchObject({
        theirs: { text: 'Just me.' },
        revealed: true,
      });
    });

    it('sends no push', async () => {
      const eve = await registerAda(app, `eve-${crypto.randomUUID()}@example.org`);
      const browser = await tell(eve);
      const { id } = await completeDate(eve, { at: NOON - DAY, minutes: 5 });
      await write(eve, 'Just me.', 3, id);
      await sendDueReminders(deps);
      expect(told(browser)).toEqual([]);
    });

    it('are erased with the space', { tags: ['notes.20'] }, async () => {
      await write(ada, 'We missed the train.');
      for (const who of [ada, ben]) {
        await who.call('POST /api/couple/deletion', { body: { currentPassword: who.password } });
      }
      expect(await rowsOf(ada)).toEqual([]);
    });
  });
});
