import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { DAY, HOUR } from '../../base/durations.ts';

describeOnBoth('the search', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let now = Date.now();
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
  });
  afterAll(() => app.close());

  const search = async (who: Partner, q: string, limit?: number) => {
    const query = { q, ...(limit === undefined ? {} : { limit: String(limit) }) };
    return (await who.call('GET /api/Search', { query })).body;
  };
  const counts = async (who: Partner, q: string) => (await search(who, q)).counts;
  const none = { ideas: 0, plannedDates: 0, memories: 0 };

  it('finds ideas by title, description and category, also inactive ones', { tags: ['search.1'] }, async () => {
    const idea = await addIdea(ada, { title: 'Phở tasting', description: 'At the Zebra market', category: 'Food' });
    await ada.call('PUT /api/DateIdeas/{id}', {
      params: { id: idea.id },
      body: { title: 'Phở tasting', description: 'At the Zebra market', category: 'Food', isActive: false },
    });
    for (const q of ['pho', 'PHỞ zebra', 'dining tasting', ' zebra  market ']) {
      const found = await search(ben, q);
      expect(found.ideas.map(({ id }) => id)).toEqual([idea.id]);
      expect(found.counts.ideas).toBe(1);
    }
    expect(await counts(ben, 'zebra lions')).toEqual(none);
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(await counts(ben, 'zebra')).toEqual(none);
  });

  it('finds dates by title, location and notes, latest first, also cancelled ones', {
    tags: ['search.1', 'search.4'],
  }, async () => {
    const idea = { title: 'Xylophone concert', description: 'A marimba too' };
    const first = await planDate(ada, { idea, at: now + DAY, location: 'Großer Saal' });
    const second = await planDate(ada, { idea: first.dateIdea.id ?? '', at: now + 3 * DAY, notes: 'Quiet seats' });
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: first.id } });
    const found = await search(ben, 'xylophone');
    expect(found.plannedDates.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(found.plannedDates).toEqual((await ben.call('GET /api/PlannedDates')).body.slice(0, 2));
    expect((await search(ben, 'grosser saal')).plannedDates.map(({ id }) => id)).toEqual([first.id]);
    expect((await search(ben, 'xylophone quiet')).plannedDates.map(({ id }) => id)).toEqual([second.id]);
    // The idea's description is the idea's, not the date's.
    expect(await counts(ben, 'marimba')).toEqual({ ...none, ideas: 1 });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: first.id } });
    expect(await counts(ben, 'saal')).toEqual(none);
  });

  it('finds memories by caption and file name, latest first', { tags: ['search.1', 'search.4'] }, async () => {
    const date = await completeDate(ada, { at: now - DAY, minutes: 60 });
    const older = await addPhoto(ada, date.id, 1, 'Crème brûlée, 100% burnt_sugar');
    now += 1000;
    const newer = await addPhoto(ada, date.id, 2, 'More creme');
    const ids = async (q: string) => (await search(ben, q)).memories.map(({ id }) => id);
    expect(await ids('CRÈME')).toEqual([newer.id, older.id]);
    expect(await ids('brulee creme')).toEqual([older.id]);
    expect(await ids('100%')).toEqual([older.id]);
    expect(await ids('burnt_s')).toEqual([older.id]);
    expect(await ids('burntxs')).toEqual([]);
    expect(await ids('\\')).toEqual([]);
    expect(await ids(newer.originalFileName.toUpperCase())).toContain(newer.id);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: older.id } });
    expect(await ids('brulee')).toEqual([]);
  });

  it('finds memories of an older version, which stores no text for it', { tags: ['search.1'] }, async () => {
    const date = await completeDate(ada, { at: now - DAY, minutes: 60 });
    const memory = await addPhoto(ada, date.id, 3, 'A Walrus');
    await app.db.write((tx) =>
      tx.updateTable('memories').set({ searchText: null }).where('id', '=', memory.id).execute(),
    );
    expect((await search(ben, 'walrus')).memories.map(({ id }) => id)).toEqual([memory.id]);
  });

  it('keeps the limit for each kind, and counts the rest', { tags: ['search.4'] }, async () => {
    for (let n = 0; n < 23; n += 1) await addIdea(ada, { title: `Yodel ${String(n).padStart(2, '0')}` });
    const found = await search(ada, 'yodel');
    expect(found.ideas).toHaveLength(20);
    expect(found.counts).toEqual({ ...none, ideas: 23 });
    expect(found.ideas[0]?.title).toBe('Yodel 00');
    expect((await search(ada, 'yodel', 3)).ideas).toHaveLength(3);
    expect((await search(ada, 'yodel', 50)).ideas).toHaveLength(23);
  });

  it.each([
    ['no word', {}],
    ['a blank one', { q: '  ' }],
    ['more than 200 characters', { q: 'x'.repeat(201) }],
    ['a limit of 0', { q: 'x', limit: '0' }],
    ['a limit of 51', { q: 'x', limit: '51' }],
  ])('refuses %s', { tags: ['search.4'] }, async (_, query) => {
    expect((await ada.request('GET /api/Search', { query })).status).toBe(400);
  });

  it('takes 200 characters, and an accent alone', { tags: ['search.4'] }, async () => {
    expect(await counts(ada, ' '.repeat(5) + '🎈'.repeat(200))).toEqual(none);
    expect(await counts(ada, '\u0301')).toEqual(none);
  });

  describe('and what a partner may not know', () => {
    it('finds a sealed note for its writer alone, and both once they are open', { tags: ['search.3'] }, async () => {
      const date = await completeDate(ada, { at: now - DAY, minutes: 60 });
      const write = (who: Partner, text: string) =>
        who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date.id }, body: { text, hearts: null } });
      await write(ada, 'The Ocarina player');
      expect(await counts(ada, 'ocarina')).toEqual({ ...none, plannedDates: 1 });
      expect(await counts(ben, 'ocarina')).toEqual(none);
      await write(ben, 'That theremin');
      expect(await counts(ben, 'ocarina theremin')).toEqual({ ...none, plannedDates: 1 });
    });

    it('finds a surprise by ‘A surprise’ only, until it is revealed', { tags: ['search.3'] }, async () => {
      const idea = await addIdea(ada, { title: 'Quokka café' });
      const secret = await planDate(ada, {
        idea: idea.id,
        at: now + 5 * HOUR,
        location: 'Wombat lane',
        notes: 'Bring a numbat',
        surprise: true,
      });
      await addPhoto(ada, secret.id, 11, 'The quokka at the till');
      expect(await counts(ben, 'quokka')).toEqual({ ...none, ideas: 1 });
      const [seen] = (await search(ben, 'quokka')).ideas;
      expect(seen).toMatchObject({ plannedDatesCount: 0, lastPlannedDate: null });
      for (const q of ['wombat', 'numbat']) {
        expect(await counts(ben, q)).toEqual(none);
        expect(await counts(ada, q)).toEqual({ ...none, plannedDates: 1 });
      }
      expect(await counts(ada, 'quokka')).toEqual({ ideas: 1, plannedDates: 1, memories: 1 });
      expect(await counts(ada, 'surprise')).toEqual(none);
      const wrapped = (await search(ben, 'a surprise')).plannedDates.find(({ id }) => id === secret.id);
      expect(wrapped).toMatchObject({ location: null, notes: null, memoryCount: 0, dateIdea: { id: null } });

      now += 6 * HOUR;
      expect(await counts(ben, 'quokka')).toEqual({ ideas: 1, plannedDates: 1, memories: 1 });
    });
  });
});
