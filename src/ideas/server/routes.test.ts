import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addIdea, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { DateIdea } from '../contract.ts';

const NOBODY = '01890000-0000-7000-8000-000000000000';

describeOnBoth('date ideas', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
  });

  const titles = (ideas: readonly DateIdea[]) => ideas.map(({ title }) => title);
  const get = (id: string) => ada.call('GET /api/DateIdeas/{id}', { params: { id } });

  describe('adding', () => {
    it('replies 201 with the idea, its address and its ETag, as the partner then reads it', {
      tags: ['wire.values.1', 'wire.values.2', 'wire.values.3', 'wire.values.4'],
    }, async () => {
      const body = { title: '  Cook  ramen ', description: ' From scratch\r\nby two ', category: 'Food' as const };
      const added = await ada.call('POST /api/DateIdeas', { body });
      expect(added.status).toBe(201);
      expect(added.body).toMatchObject({
        title: 'Cook  ramen',
        description: 'From scratch\nby two',
        category: 'Food',
        isActive: true,
        plannedDatesCount: 0,
        lastPlannedDate: null,
        updatedAt: added.body.createdAt,
      });
      expect(added.headers.get('location')).toBe(`/api/DateIdeas/${added.body.id}`);
      const read = await ben.call('GET /api/DateIdeas/{id}', { params: { id: added.body.id } });
      expect(read.body).toEqual(added.body);
      expect(read.headers.get('etag')).toBe(added.headers.get('etag'));
      expect(read.headers.get('etag')).toMatch(/^"[^"]+"$/);
    });

    it('accepts null and blank for optional fields', { tags: ['wire.values.5'] }, async () => {
      const idea = await addIdea(ada, { description: '  ', isActive: false });
      expect(idea).toMatchObject({ description: null, isActive: false });
    });

    it('ignores unknown fields', { tags: ['wire.values.5'] }, async () => {
      const body = { title: 'Swim', category: 'Active' as const, id: NOBODY, plannedDatesCount: 9, coupleId: NOBODY };
      const added = await ada.call('POST /api/DateIdeas', { body });
      expect(added.body).toMatchObject({ plannedDatesCount: 0 });
      expect(added.body.id).not.toBe(NOBODY);
    });

    it.each([
      ['no title', { category: 'Food' }, 'title', 'Title is required'],
      ['a blank title', { title: '\t', category: 'Food' }, 'title', 'Title is required'],
      ['a title of 201', { title: '💕'.repeat(201), category: 'Food' }, 'title', 'Title cannot exceed 200 characters'],
      [
        'a description of 1001',
        { title: 'a', description: 'd'.repeat(1001), category: 'Food' },
        'description',
        'Description cannot exceed 1000 characters',
      ],
      ['no category', { title: 'a' }, 'category', 'Category is required'],
      [
        'an unknown category',
        { title: 'a', category: 'Sports' },
        'category',
        'Please choose one of the eight categories',
      ],
      ['a NUL', { title: 'a\0b', category: 'Food' }, 'title', 'Title contains a character we can’t save'],
      ['a lone surrogate', { title: 'a\ud83d', category: 'Food' }, 'title', 'Title contains a character we can’t save'],
      ['a number for a title', { title: 7, category: 'Food' }, 'title', 'Title is required'],
    ])('refuses %s', { tags: ['wire.errors.1'] }, async (_, body, field, message) => {
      const refused = await ada.request('POST /api/DateIdeas', { body });
      expect(refused.status).toBe(400);
      expect(refused.problem).toMatchObject({ message, detail: message, errors: [{ field, message }] });
      expect((await ada.call('GET /api/DateIdeas')).body).toEqual([]);
    });

    it('accepts a title of one character, and of 200 hearts', async () => {
      expect((await addIdea(ada, { title: 'a' })).title).toBe('a');
      expect(
        (await addIdea(ada, { title: '💕'.repeat(200), description: '👩‍🍳'.repeat(333) })).description,
      ).toHaveLength(1665);
    });

    it('happens once per key', { tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'] }, async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const body = { title: 'Only once', category: 'Indoor' as const };
      const first = await ada.call('POST /api/DateIdeas', { body }, { headers });
      const again = await ben.call('POST /api/DateIdeas', { body }, { headers });
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      const other = await ada.call('POST /api/DateIdeas', { body: { ...body, title: 'Another' } }, { headers });
      expect(other.status).toBe(422);
      expect((await ada.call('GET /api/DateIdeas')).body).toHaveLength(1);
    });
  });

  describe('lists', () => {
    it('all are newest first; active ones and categories are sorted by title, ignoring case', {
      tags: ['ideas.wire.1'],
    }, async () => {
      await addIdea(ada, { title: 'zoo', category: 'Active' });
      await addIdea(ben, { title: 'Apple pie', category: 'Food' });
      await addIdea(ada, { title: 'äpfel', category: 'Food' });
      await addIdea(ada, { title: 'Barbecue', category: 'Food', isActive: false });
      await addIdea(ada, { title: 'bread', category: 'Food' });
      expect(titles((await ada.call('GET /api/DateIdeas')).body)).toEqual([
        'bread',
        'Barbecue',
        'äpfel',
        'Apple pie',
        'zoo',
      ]);
      expect(titles((await ben.call('GET /api/DateIdeas/active')).body)).toEqual([
        'äpfel',
        'Apple pie',
        'bread',
        'zoo',
      ]);
      const food = await ada.call('GET /api/DateIdeas/category/{category}', { params: { category: 'fOOd' } });
      expect(titles(food.body)).toEqual(['äpfel', 'Apple pie', 'bread']);
    });

    it('reply 400 for an unknown category, and an empty list for an empty one', async () => {
      const of = (category: string) => ada.call('GET /api/DateIdeas/category/{category}', { params: { category } });
      expect((await of('Sports')).status).toBe(400);
      expect((await of('Food & Dining')).status).toBe(400);
      expect(await of('Cultural')).toMatchObject({ status: 200, body: [] });
    });

    it('there are eight categories, in the order of the menu', { tags: ['ideas.wire.1'] }, async () => {
      const { body } = await ada.call('GET /api/DateIdeas/categories');
      expect(body.map(({ value }) => value)).toEqual([
        'Romantic',
        'Outdoor',
        'Indoor',
        'Adventure',
        'Food',
        'Cultural',
        'Relaxing',
        'Active',
      ]);
      expect(body[4]).toEqual({ value: 'Food', name: 'Food', displayName: 'Food & Dining' });
    });

    it('paths ignore case', { tags: ['wire.values.10'] }, async () => {
      await addIdea(ada);
      const lists = await Promise.all([ada.request('GET /api/dateideas'), ada.request('GET /API/DATEIDEAS/ACTIVE')]);
      for (const list of lists) expect(list).toMatchObject({ status: 200, body: [{ title: 'Picnic by the lake' }] });
    });

    it('count the planned dates that are neither cancelled nor deleted', { tags: ['ideas.wire.1'] }, async () => {
      const { id: idea } = await addIdea(ada);
      const base = Date.now();
      const at = (days: number) => base + days * 86_400_000;
      await planDate(ada, { idea, at: at(1) });
      await completeDate(ada, { idea, at: at(-3), minutes: 30 });
      await startDate(ada, { idea, at: at(0) });
      const cancelled = await planDate(ada, { idea, at: at(9) });
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled.id } });
      const deleted = await planDate(ada, { idea, at: at(8) });
      await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: deleted.id } });
      const counted = { plannedDatesCount: 3, lastPlannedDate: new Date(at(1)).toISOString() };
      expect((await get(idea)).body).toMatchObject(counted);
      expect((await ada.call('GET /api/DateIdeas')).body).toMatchObject([counted]);
      expect((await ada.call('GET /api/DateIdeas/active')).body).toMatchObject([counted]);
    });
  });

  describe('editing', () => {
    it('replaces the idea, clears an absent description, and keeps an absent isActive', async () => {
      const { id } = await addIdea(ada, { description: 'Old', isActive: false });
      const body = { title: 'New', category: 'Cultural' as const };
      const edited = await ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
      expect(edited).toMatchObject({
        status: 200,
        body: { title: 'New', description: null, category: 'Cultural', isActive: false },
      });
      expect((await get(id)).body).toEqual(edited.body);
      expect((await get(id)).headers.get('etag')).toBe(edited.headers.get('etag'));
    });

    it('refuses a stale If-Match with 412; the current one and * succeed', { tags: ['wire.editing.1'] }, async () => {
      const { id } = await addIdea(ada, { title: 'First' });
      const put = (title: string, tag: string) =>
        ben.call(
          'PUT /api/DateIdeas/{id}',
          { params: { id }, body: { title, category: 'Food' } },
          { headers: { 'if-match': tag } },
        );
      const tag = (await get(id)).headers.get('etag') ?? '';
      const second = await put('Second', tag);
      expect(second.status).toBe(200);
      expect((await put('Third', tag)).status).toBe(412);
      expect((await get(id)).body.title).toBe('Second');
      expect((await put('Third', `"x", ${second.headers.get('etag')}`)).status).toBe(200);
      expect((await put('Fourth', '*')).status).toBe(200);
      expect((await put('Fifth', tag)).problem.message).toContain('Nothing was saved');
    });

    it('a plan from the idea and a PUT that changes nothing keep the ETag', { tags: ['wire.editing.1'] }, async () => {
      const { id, updatedAt } = await addIdea(ada, { title: 'Same' });
      const tag = (await get(id)).headers.get('etag') ?? '';
      await planDate(ben, { idea: id });
      const body = { title: ' Same ', category: 'Outdoor' as const };
      const nothing = await ada.call(
        'PUT /api/DateIdeas/{id}',
        { params: { id }, body },
        { headers: { 'if-match': tag } },
      );
      expect(nothing).toMatchObject({ status: 200, body: { updatedAt, plannedDatesCount: 1 } });
      expect(nothing.headers.get('etag')).toBe(tag);
    });

    it('replies 404 for an unknown or deleted idea before it validates the body', {
      tags: ['wire.errors.2'],
    }, async () => {
      const { id } = await addIdea(ada);
      await ada.call('DELETE /api/DateIdeas/{id}', { params: { id } });
      for (const missing of [id, NOBODY, 'nonsense', '../..']) {
        const put = await ada.request('PUT /api/DateIdeas/{id}', { params: { id: missing }, body: { title: '' } });
        expect(put).toMatchObject({ status: 404 });
      }
      const raw = { type: 'text/plain', body: 'x' };
      expect((await ada.request('PUT /api/DateIdeas/{id}', { params: { id } }, { raw })).status).toBe(404);
    });

    it('only one of two concurrent requests with the same ETag succeeds', async () => {
      const { id } = await addIdea(ada);
      const headers = { 'if-match': (await get(id)).headers.get('etag') ?? '' };
      const edits = await Promise.all(
        ['Ada', 'Ben', 'Ada again', 'Ben again'].map((title, i) =>
          (i % 2 === 0 ? ada : ben).call(
            'PUT /api/DateIdeas/{id}',
            { params: { id }, body: { title, category: 'Food' } },
            { headers },
          ),
        ),
      );
      expect(edits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    });
  });

  describe('deleting', () => {
    it('removes it from every list; the dates planned from it stay unchanged', { tags: ['ideas.wire.2'] }, async () => {
      const { id } = await addIdea(ada, { title: 'Gone', description: 'Still told' });
      const date = await planDate(ada, { idea: id });
      expect((await ben.call('DELETE /api/DateIdeas/{id}', { params: { id } })).status).toBe(204);
      expect((await get(id)).status).toBe(404);
      expect((await ada.call('GET /api/DateIdeas')).body).toEqual([]);
      expect((await ada.call('GET /api/DateIdeas/active')).body).toEqual([]);
      const kept = await ada.call('GET /api/PlannedDates/{id}', { params: { id: date.id } });
      expect(kept.body.dateIdea).toMatchObject({ id, title: 'Gone', description: 'Still told', plannedDatesCount: 1 });
      expect((await ada.call('DELETE /api/DateIdeas/{id}', { params: { id } })).status).toBe(404);
    });

    it('replies 412 with an old version', async () => {
      const { id } = await addIdea(ada);
      const headers = { 'if-match': (await get(id)).headers.get('etag') ?? '' };
      await ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { title: 'Newer', category: 'Food' } });
      expect((await ada.call('DELETE /api/DateIdeas/{id}', { params: { id } }, { headers })).status).toBe(412);
      expect((await get(id)).body.title).toBe('Newer');
    });
  });

  it('both partners get an event for each change, and none for a refusal', async () => {
    const heard = await subscribeToEvents(ben);
    const { id } = await addIdea(ada);
    await ada.request('POST /api/DateIdeas', { body: { title: '' } });
    await ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { title: 'Changed', category: 'Food' } });
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id } });
    const [by, too] = [ada.user.id, ben.user.id];
    expect(await heard.next()).toEqual({ entity: 'dateIdea', id, action: 'created', by });
    expect(await heard.next()).toEqual({ entity: 'dateIdea', id, action: 'updated', by: too });
    expect(await heard.next()).toEqual({ entity: 'dateIdea', id, action: 'deleted', by });
    heard.close();
  });

  it('runs as many database queries for 60 ideas as for none', async () => {
    const asked = () => countQueries(app, () => ada.call('GET /api/DateIdeas'));
    const before = await asked();
    await Promise.all(Array.from({ length: 60 }, (_, i) => addIdea(ada, { title: `Idea ${i}` })));
    expect(await asked()).toBe(before);
  });

  it('every call needs a token', async () => {
    expect((await new Caller(app.url).call('GET /api/DateIdeas')).status).toBe(401);
  });
});
