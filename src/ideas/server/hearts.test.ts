import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countQueries } from '../../../tests/support/count-queries.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../tests/support/event-stream.ts';
import { addIdea, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { joinAsBen, registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const NONE = { mine: false, mutual: false };
const MINE = { mine: true, mutual: false };
const MUTUAL = { mine: true, mutual: true };
const DAY = 86_400_000;

describeOnBoth('hearts', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  /** What the next picks draw; the first of all when it is empty. */
  const draws: number[] = [];
  const limits: number[] = [];
  beforeAll(async () => {
    app = await startTestApp(engine, {
      randomInt: (limit) => {
        limits.push(limit);
        return draws.shift() ?? 0;
      },
    });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    limits.length = 0;
  });

  const put = (who: Partner, id: string) => who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
  const take = (who: Partner, id: string) => who.call('DELETE /api/DateIdeas/{id}/heart', { params: { id } });
  const both = async (id: string) => {
    await put(ada, id);
    await put(ben, id);
  };
  const get = (who: Partner, id: string) => who.call('GET /api/DateIdeas/{id}', { params: { id } });
  const heartsIn = async (who: Partner, id: string) => {
    const lists = ['GET /api/DateIdeas', 'GET /api/DateIdeas/active'] as const;
    const found = await Promise.all(
      lists.map(async (name) => (await who.call(name)).body.find((idea) => idea.id === id)?.hearts),
    );
    const { body } = await get(who, id);
    expect(found).toEqual([body.hearts, body.hearts]);
    return body.hearts;
  };

  it('of one partner are seen by that partner alone', { tags: ['secrets.hearts.1'] }, async () => {
    const { id } = await addIdea(ada);
    expect(await heartsIn(ada, id)).toEqual(NONE);
    const pressed = await put(ada, id);
    expect(pressed).toMatchObject({ status: 200, body: { id, hearts: MINE } });
    expect(await heartsIn(ada, id)).toEqual(MINE);
    expect(await heartsIn(ben, id)).toEqual(NONE);
    expect((await ben.call('GET /api/DateIdeas/mutual')).body).toEqual([]);
    expect(
      (await ben.call('GET /api/DateIdeas/category/{category}', { params: { category: 'outdoor' } })).body,
    ).toEqual([{ ...pressed.body, hearts: NONE }]);
  });

  it('of both are seen by both, until one is taken back', { tags: ['secrets.hearts.1'] }, async () => {
    const { id } = await addIdea(ada);
    await put(ada, id);
    expect((await put(ben, id)).body.hearts).toEqual(MUTUAL);
    expect([await heartsIn(ada, id), await heartsIn(ben, id)]).toEqual([MUTUAL, MUTUAL]);
    expect((await take(ada, id)).body.hearts).toEqual(NONE);
    expect([await heartsIn(ada, id), await heartsIn(ben, id)]).toEqual([NONE, MINE]);
  });

  it('keep the ETag and the time of the idea, so that an open edit is not stale', {
    tags: ['ideas.hearts.1'],
  }, async () => {
    const { id, updatedAt } = await addIdea(ada, { title: 'Same' });
    const tag = (await get(ben, id)).headers.get('etag') ?? '';
    for (const press of [() => put(ada, id), () => put(ada, id), () => put(ben, id), () => take(ada, id)]) {
      const pressed = await press();
      expect(pressed).toMatchObject({ status: 200, body: { updatedAt } });
      expect(pressed.headers.get('etag')).toBe(tag);
    }
    const edit = { params: { id }, body: { title: 'Newer', category: 'Food' as const } };
    const edited = await ben.call('PUT /api/DateIdeas/{id}', edit, { headers: { 'if-match': tag } });
    expect(edited).toMatchObject({ status: 200, body: { title: 'Newer', hearts: MINE } });
  });

  it('that are there, or are not, can be put and taken back again', { tags: ['ideas.hearts.1'] }, async () => {
    const { id } = await addIdea(ada);
    expect((await take(ada, id)).body.hearts).toEqual(NONE);
    expect((await put(ada, id)).body.hearts).toEqual(MINE);
    expect((await put(ada, id)).body.hearts).toEqual(MINE);
    expect((await take(ada, id)).body.hearts).toEqual(NONE);
  });

  it('that both put at the same moment are mutual', { tags: ['secrets.hearts.3'] }, async () => {
    const { id } = await addIdea(ada);
    const pressed = await Promise.all([put(ada, id), put(ben, id), put(ada, id), put(ben, id)]);
    expect(pressed.filter(({ body }) => body.hearts.mutual).length).toBeGreaterThan(0);
    expect([await heartsIn(ada, id), await heartsIn(ben, id)]).toEqual([MUTUAL, MUTUAL]);
  });

  it('are announced to the partner only when they become mutual or no longer are, and always to the one who pressed', {
    tags: ['secrets.hearts.3'],
  }, async () => {
    const { id } = await addIdea(ada);
    const [hers, his] = [await subscribeToEvents(ada), await subscribeToEvents(ben)];
    // His marker is the last that she got.
    while ((await hers.next()).action !== 'deleted') continue;
    const [by, too] = [ada.user.id, ben.user.id];
    await put(ada, id);
    await put(ada, id);
    await put(ben, id);
    await take(ada, id);
    await take(ben, id);
    const { id: last } = await addIdea(ben);
    const change = { entity: 'dateIdea', id, action: 'updated' };
    for (const who of [by, too, by]) expect(await hers.next()).toEqual({ ...change, by: who });
    for (const who of [too, by, too]) expect(await his.next()).toEqual({ ...change, by: who });
    for (const events of [hers, his]) expect(await events.next()).toMatchObject({ id: last, action: 'created' });
    hers.close();
    his.close();
  });

  it('of a partner who left are gone, and a new partner begins without any', { tags: ['ideas.hearts.2'] }, async () => {
    const { id } = await addIdea(ada);
    await both(id);
    await ben.call('POST /api/auth/leave', { body: { currentPassword: ben.password } });
    expect(await heartsIn(ada, id)).toEqual(MINE);
    expect((await ada.call('GET /api/DateIdeas/mutual')).body).toEqual([]);
    const cleo = await joinAsBen(app, ada, `cleo-${crypto.randomUUID()}@example.org`);
    expect(await heartsIn(cleo, id)).toEqual(NONE);
    expect((await put(cleo, id)).body.hearts).toEqual(MUTUAL);
  });

  it('of a deleted idea are gone with it', { tags: ['ideas.hearts.2'] }, async () => {
    const { id } = await addIdea(ada);
    await both(id);
    await ben.call('DELETE /api/DateIdeas/{id}', { params: { id } });
    expect((await put(ada, id)).status).toBe(404);
    expect((await take(ada, id)).status).toBe(404);
    expect((await ada.call('GET /api/DateIdeas/mutual')).body).toEqual([]);
    const rows = await app.db.read.selectFrom('hearts').selectAll().where('ideaId', '=', id).execute();
    expect(rows).toEqual([]);
  });

  it('cost as many database queries for 40 ideas as for none', async () => {
    const asked = () => countQueries(app, () => ada.call('GET /api/DateIdeas/mutual'));
    const before = await asked();
    const ideas = await Promise.all(Array.from({ length: 40 }, (_, i) => addIdea(ada, { title: `Idea ${i}` })));
    for (const { id } of ideas) await both(id);
    expect(await asked()).toBe(before);
  });

  it('are celebrated once with both partners, even if one is taken back and put again', {
    tags: ['ideas.hearts.5'],
  }, async () => {
    const { id } = await addIdea(ada, { title: 'Stargazing' });
    const pending = async (who: Partner) => (await who.call('GET /api/Stats/celebrations')).body;
    const claim = async (who: Partner, ...milestones: string[]) =>
      (await who.call('POST /api/Stats/celebrations', { body: { milestones } })).body.map(({ ideaId }) => ideaId);
    await put(ada, id);
    expect([await pending(ada), await pending(ben)]).toEqual([[], []]);
    expect(await claim(ben, `mutual/${id}/${ada.user.id}`)).toEqual([]);
    await put(ben, id);
    const [hers] = await pending(ada);
    expect(hers).toMatchObject({ title: 'We both want this', description: 'Stargazing', ideaId: id });
    expect(await claim(ada, hers?.id ?? '')).toEqual([id]);
    expect(await claim(ada, hers?.id ?? '')).toEqual([]);
    // His waits as long as it is mutual.
    await take(ada, id);
    expect(await pending(ben)).toEqual([]);
    await put(ada, id);
    expect(await pending(ada)).toEqual([]);
    expect(await pending(ben)).toMatchObject([{ ideaId: id }]);
  });

  describe('of both', () => {
    it('list the active ideas, least recently planned first, then by title', { tags: ['ideas.hearts.3'] }, async () => {
      const add = async (title: string, ...plannedInDays: number[]) => {
        const { id } = await addIdea(ada, { title });
        for (const days of plannedInDays) await planDate(ada, { idea: id, at: Date.now() + days * DAY });
        await both(id);
        return id;
      };
      await add('yesterday', -1, -9);
      await add('b never');
      await add('A never');
      await add('last week', -7);
      await put(ada, (await addIdea(ada, { title: 'only hers' })).id);
      const off = await add('inactive');
      const body = { title: 'inactive', category: 'Food' as const, isActive: false };
      await ada.call('PUT /api/DateIdeas/{id}', { params: { id: off }, body });
      for (const who of [ada, ben]) {
        const { body: listed } = await who.call('GET /api/DateIdeas/mutual');
        expect(listed.map(({ title }) => title)).toEqual(['A never', 'b never', 'last week', 'yesterday']);
        expect(listed.map(({ hearts }) => hearts)).toEqual([MUTUAL, MUTUAL, MUTUAL, MUTUAL]);
      }
    });
  });

  describe('and a pick', () => {
    const pick = async (draw: number) => {
      draws.push(draw);
      const { status, body } = await ben.call('GET /api/DateIdeas/pick');
      return status === 204 ? null : body?.title;
    };

    it('replies 204 without an active idea', { tags: ['ideas.hearts.4'] }, async () => {
      await addIdea(ada, { isActive: false });
      expect((await ben.call('GET /api/DateIdeas/pick')).status).toBe(204);
      expect(limits).toEqual([]);
    });

    it('draws from all active ideas, and from the mutual ones once there are any', {
      tags: ['ideas.hearts.4'],
    }, async () => {
      const ideas: Record<string, string> = {};
      for (const title of ['a', 'b', 'c', 'd']) ideas[title] = (await addIdea(ada, { title })).id;
      await put(ada, ideas.a ?? '');
      expect([await pick(0), await pick(1), await pick(2), await pick(3)]).toEqual(['a', 'b', 'c', 'd']);
      await both(ideas.c ?? '');
      await both(ideas.d ?? '');
      expect([await pick(0), await pick(1)]).toEqual(['c', 'd']);
      expect(limits).toEqual([4, 4, 4, 4, 2, 2]);
    });

    it('leaves out ideas with a planned or running date, unless no other is left', {
      tags: ['ideas.hearts.4'],
    }, async () => {
      const { id: planned } = await addIdea(ada, { title: 'planned' });
      const { id: running } = await addIdea(ada, { title: 'running' });
      await addIdea(ada, { title: 'still free' });
      const date = await planDate(ada, { idea: planned });
      await startDate(ada, { idea: running, at: Date.now() });
      expect(await pick(0)).toBe('still free');
      await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: date.id } });
      expect([await pick(0), await pick(1)]).toEqual(['planned', 'still free']);
      await both(running);
      expect(await pick(0)).toBe('running');
      expect(limits).toEqual([1, 2, 2, 1]);
    });
  });
});
