import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addIdea, addPhoto, planDate, smallPhotoForm } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createUpload, readUploadStatus, sendPart, uploadIdOf } from '../../../tests/support/tus.ts';
import { DAY, HOUR } from '../../base/durations.ts';
import type { PlannedDate } from '../contract.ts';
import { NO_TEXTS } from '../optional-texts.ts';

const WRAPPED = {
  ...NO_TEXTS,
  memoryCount: 0,
  surprise: { mine: false, revealed: false },
  dateIdea: { id: null, title: 'A surprise', category: null },
};
const REFUSED = 'This date is a surprise. Only Ada can change it.';

describeOnBoth('surprises', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let now = Date.now();
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const iso = (at: number) => new Date(at).toISOString();
  const get = (who: Partner, id: string) => who.call('GET /api/PlannedDates/{id}', { params: { id } });
  const tagFor = async (who: Partner, id: string) => (await get(who, id)).headers.get('etag');
  const parts = { location: 'The old lido', notes: 'Bring towels' };
  const plan = (more: object = {}) => planDate(ada, { ...parts, at: now + 5 * HOUR, surprise: true, ...more });
  const put = (who: Partner, { id, plannedDateTime, endDateTime }: PlannedDate, body: object) =>
    who.request('PUT /api/PlannedDates/{id}', {
      params: { id },
      body: { plannedDateTime, endDateTime, ...parts, ...body },
    });

  it('are null in dates that never were one, and the planner’s own show everything', {
    tags: ['secrets.surprises.1'],
  }, async () => {
    expect((await planDate(ada, { at: now + HOUR })).surprise).toBeNull();
    expect((await planDate(ada, { at: now + HOUR, surprise: false })).surprise).toBeNull();
    const mine = await plan();
    expect(mine).toMatchObject({ ...parts, surprise: { mine: true, revealed: false } });
    expect((await get(ada, mine.id)).body).toEqual(mine);
  });

  it('show the partner only the time, in every list', { tags: ['secrets.surprises.1'] }, async () => {
    const { id } = await plan({ at: now + HOUR / 2 });
    for (const name of ['GET /api/PlannedDates', 'GET /api/PlannedDates/upcoming'] as const) {
      const { body } = await ben.call(name);
      expect(body.find((date) => date.id === id)).toMatchObject(WRAPPED);
      const own = await ada.call(name);
      expect(own.body.find((date) => date.id === id)).toMatchObject(parts);
    }
    expect((await ben.call('GET /api/PlannedDates/next')).body).toMatchObject({ id, ...WRAPPED });
    expect((await ben.call('GET /api/Stats/dashboard')).body.nextDate).toMatchObject({ id, ...WRAPPED });
  });

  describe('are revealed for good', () => {
    const expectRevealed = async (id: string) => {
      for (const [who, mine] of [
        [ada, true],
        [ben, false],
      ] as const) {
        const { body } = await get(who, id);
        expect(body).toMatchObject({ ...parts, surprise: { mine, revealed: true } });
      }
    };

    it('when they are started', { tags: ['dates.surprises.2'] }, async () => {
      const { id } = await plan();
      await ada.call('POST /api/PlannedDates/{id}/start', { params: { id } });
      await expectRevealed(id);
    });

    it('when they are cancelled', { tags: ['dates.surprises.2'] }, async () => {
      const { id } = await plan();
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
      await expectRevealed(id);
    });

    it('by surprise: false, and not hidden again by surprise: true', { tags: ['dates.surprises.2'] }, async () => {
      const date = await plan();
      const events = await subscribeToEvents(ben);
      expect(await put(ada, date, { surprise: false })).toMatchObject({
        status: 200,
        body: { surprise: { mine: true, revealed: true } },
      });
      expect(await events.next()).toMatchObject({ entity: 'plannedDate', id: date.id, action: 'updated' });
      events.close();
      await expectRevealed(date.id);
      expect((await put(ada, date, { surprise: true })).status).toBe(200);
      await expectRevealed(date.id);
    });

    it('at their time, without a change, in lists that were read before too', {
      tags: ['dates.surprises.2'],
    }, async () => {
      const { id, plannedDateTime } = await plan();
      const inList = async (who: Partner) =>
        (await who.call('GET /api/PlannedDates')).body.find((date) => date.id === id);
      const tag = await tagFor(ben, id);
      expect([await inList(ben), await inList(ada)]).toMatchObject([
        WRAPPED,
        { surprise: { mine: true, revealed: false } },
      ]);
      now = Date.parse(plannedDateTime);
      await expectRevealed(id);
      expect([await inList(ben), await inList(ada)]).toMatchObject([
        { ...parts, surprise: { mine: false, revealed: true } },
        { surprise: { mine: true, revealed: true } },
      ]);
      expect(await tagFor(ben, id)).not.toBe(tag);
    });

    it('also if they are moved to a later time afterwards', { tags: ['dates.surprises.2'] }, async () => {
      const date = await plan();
      now = Date.parse(date.plannedDateTime) + HOUR;
      expect((await put(ada, date, { plannedDateTime: iso(now + DAY) })).status).toBe(200);
      await expectRevealed(date.id);
    });

    it('by ‘We went!’, and stay so when it is undone', { tags: ['dates.surprises.2'] }, async () => {
      const { id, plannedDateTime } = await plan();
      now = Date.parse(plannedDateTime) + HOUR;
      expect((await ben.call('POST /api/PlannedDates/{id}/went', { params: { id }, body: {} })).status).toBe(200);
      await expectRevealed(id);
      await ben.call('POST /api/PlannedDates/{id}/went/undo', { params: { id } });
      await expectRevealed(id);
    });
  });

  it('are made of a date, and revealed, only by its planner', { tags: ['dates.surprises.1'] }, async () => {
    const date = await planDate(ben, { ...parts, at: now + 5 * HOUR });
    expect(await put(ada, date, { surprise: true })).toMatchObject({
      status: 403,
      problem: { message: 'Only the partner who planned this date can make it a surprise.' },
    });
    const events = await subscribeToEvents(ada);
    expect((await put(ben, date, { surprise: true })).body).toMatchObject({ surprise: { mine: true } });
    expect(await events.next()).toMatchObject({ id: date.id, action: 'updated' });
    events.close();
    expect((await get(ada, date.id)).body).toMatchObject(WRAPPED);
    // Nobody but the planner changes it while it is sealed.
    expect(await put(ada, date, { surprise: false })).toMatchObject({
      status: 409,
      problem: { message: 'This date is a surprise. Only Ben can change it.' },
    });
    // Absent and null stay.
    for (const fields of [{}, { surprise: null }]) {
      expect((await put(ben, date, fields)).body).toMatchObject({ surprise: { mine: true, revealed: false } });
    }
    expect((await put(ben, date, { surprise: false })).body).toMatchObject({ surprise: { revealed: true } });
    expect((await put(ada, date, { surprise: true })).status).toBe(403);
  });

  it('can’t be changed by the partner, who gets the name of its planner', {
    tags: ['dates.surprises.3'],
  }, async () => {
    const date = await plan();
    const { id } = date;
    const body = {};
    const calls = await Promise.all([
      put(ben, date, {}),
      ben.request('DELETE /api/PlannedDates/{id}', { params: { id } }),
      ben.request('POST /api/PlannedDates/{id}/start', { params: { id } }),
      ben.request('POST /api/PlannedDates/{id}/cancel', { params: { id } }),
      ben.request('POST /api/PlannedDates/{id}/went', { params: { id }, body }),
      ben.request('POST /api/Memories', { body: await smallPhotoForm(id) }),
    ]);
    for (const response of calls) expect(response).toMatchObject({ status: 409, problem: { message: REFUSED } });
    const begun = await createUpload(ben, 1_000, { dateId: id, name: 'x.jpg' });
    expect(begun.status).toBe(409);
    expect((await get(ada, id)).body).toEqual(date);
  });

  it('refuse a resumable upload that the partner began before, and say why', {
    tags: ['dates.surprises.3'],
  }, async () => {
    const photo = await makeJpeg({ seed: 61 });
    const date = await plan({ surprise: false });
    const upload = uploadIdOf(await createUpload(ben, photo.length, { dateId: date.id }));
    expect((await put(ada, date, { surprise: true })).status).toBe(200);
    expect(await readUploadStatus(ben, upload)).toMatchObject({ status: 200, offset: 0 });
    expect(await sendPart(ben, upload, 0, photo)).toMatchObject({ status: 409, problem: { message: REFUSED } });
    expect((await get(ada, date.id)).body.memoryCount).toBe(0);
  });

  it('keep the partner’s tag and time when what changes is hidden, and change them when it shows', {
    tags: ['secrets.surprises.5'],
  }, async () => {
    const date = await plan();
    const [tag, { body: before }] = [await tagFor(ben, date.id), await get(ben, date.id)];
    now += HOUR;
    expect((await put(ada, date, { notes: 'And a flask' })).status).toBe(200);
    expect([await tagFor(ben, date.id), (await get(ben, date.id)).body]).toEqual([tag, before]);
    expect((await get(ada, date.id)).body.updatedAt).toBe(iso(now));
    const events = await subscribeToEvents(ben);
    expect((await put(ada, date, { plannedDateTime: iso(now + 6 * HOUR) })).status).toBe(200);
    expect(await events.next()).toMatchObject({ id: date.id, action: 'updated' });
    events.close();
    expect(await tagFor(ben, date.id)).not.toBe(tag);
    expect((await get(ben, date.id)).body).toMatchObject({ ...WRAPPED, updatedAt: iso(now) });
  });

  it('refuse an edit with the tag of the wrapped date once they are revealed', {
    tags: ['secrets.surprises.5'],
  }, async () => {
    const date = await plan();
    const tag = (await tagFor(ben, date.id)) ?? '';
    now = Date.parse(date.plannedDateTime);
    const body = { plannedDateTime: date.plannedDateTime };
    const stale = await ben.request(
      'PUT /api/PlannedDates/{id}',
      { params: { id: date.id }, body },
      { headers: { 'if-match': tag } },
    );
    expect(stale.status).toBe(412);
  });

  it('don’t count for the partner in the idea, its order and the pick', { tags: ['secrets.surprises.6'] }, async () => {
    const { id: idea } = await addIdea(ada, { title: 'Only here' });
    const count = async (who: Partner) => {
      const { body } = await who.call('GET /api/DateIdeas');
      const one = await who.call('GET /api/DateIdeas/{id}', { params: { id: idea } });
      return [body.find(({ id }) => id === idea), one.body].map((found) => [
        found?.plannedDatesCount,
        found?.lastPlannedDate,
      ]);
    };
    const { plannedDateTime } = await plan({ idea });
    expect(await count(ada)).toEqual([
      [1, plannedDateTime],
      [1, plannedDateTime],
    ]);
    expect(await count(ben)).toEqual([
      [0, null],
      [0, null],
    ]);
    now = Date.parse(plannedDateTime);
    expect(await count(ben)).toEqual([
      [1, plannedDateTime],
      [1, plannedDateTime],
    ]);
  });

  it('in the trash have only their time too, and only their planner can put them back', {
    tags: ['dates.surprises.4'],
  }, async () => {
    const { id } = await plan();
    await addPhoto(ada, id, 3);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    const entry = async (who: Partner) => (await who.call('GET /api/Trash')).body.find((one) => one.id === id);
    expect(await entry(ben)).toMatchObject({ title: 'A surprise', memoryCount: 0 });
    expect(await entry(ada)).toMatchObject({ title: 'Picnic by the lake', memoryCount: 1 });
    for (const name of ['POST /api/Trash/{id}/restore', 'DELETE /api/Trash/{id}'] as const) {
      expect(await ben.request(name, { params: { id } })).toMatchObject({ status: 409, problem: { message: REFUSED } });
    }
    expect((await ada.call('POST /api/Trash/{id}/restore', { params: { id } })).body).toMatchObject(parts);
    expect((await get(ben, id)).body).toMatchObject(WRAPPED);
  });

  it('are plain dates for the other once their planner has left', { tags: ['dates.surprises.4'] }, async () => {
    const couple = await registerCouple(app);
    const { id } = await planDate(couple.ada, { ...parts, at: now + HOUR, surprise: true });
    expect((await get(couple.ben, id)).body).toMatchObject(WRAPPED);
    await couple.ada.call('POST /api/auth/leave', { body: { currentPassword: couple.ada.password } });
    expect((await get(couple.ben, id)).body).toMatchObject({ ...parts, surprise: null });
  });
});
