import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBoth, postgresAndS3 } from '../../../../tests/support/engines.ts';
import { planDate } from '../../../../tests/support/factories.ts';
import { makeJpeg } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { upload } from '../../../../tests/support/upload.ts';
import { insertIdea } from '../../../ideas/server/store.ts';
import { DAY, HOUR } from '../../durations.ts';
import type { CoupleId } from '../../ids.ts';
import { Answer } from './answer.ts';
import { type IdempotentCreate, runIdempotent, sweepReplies } from './idempotency.ts';

describeOnBoth('an Idempotency-Key', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let coupleId: CoupleId;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app));
    coupleId = ada.user.couple.id as CoupleId;
  });
  afterAll(() => app.close());

  const headers = (key: string) => ({ headers: { 'idempotency-key': key } });
  const titles = async () => (await ada.call('GET /api/DateIdeas')).body.map(({ title }) => title).sort();
  const addIdea = (key: string, title: string, who = ada) =>
    who.call('POST /api/DateIdeas', { body: { title, category: 'Food' } }, headers(key));
  const age = (key: string, ms: number) =>
    app.db.write((tx) =>
      tx
        .updateTable('replies')
        .set({ createdAt: Date.now() - ms })
        .where('key', '=', key)
        .execute(),
    );

  describe('of two requests at the same time', () => {
    /** Creates an idea as a node of its own would; `pause` runs before its transaction. */
    const create = (key: string, title: string, pause: () => Promise<unknown> = async () => undefined) =>
      runIdempotent(
        { db: { ...app.db }, now: Date.now },
        { name: 'POST /api/DateIdeas', coupleId, key, readAgain: async () => 'deleted' },
        async ({ create }) => {
          await pause();
          return create(async (tx) => {
            const fields = { title, description: null, category: 'Food', isActive: true };
            return new Answer(await insertIdea(tx, coupleId, fields, Date.now()), { status: 201 });
          }, 'the same');
        },
      );

    it('creates nothing for a node that was paused while another one created, and gives it that reply', {
      tags: ['wire.retrying.4', 'wire.retrying.5'],
    }, async () => {
      const key = randomUUID();
      const late = await create(key, 'by the paused one', async () => {
        expect((await create(key, 'by the other')).body.title).toBe('by the other');
      });
      expect([late.status, late.body.title]).toEqual([201, 'by the other']);
      expect((await titles()).filter((title) => title.startsWith('by the'))).toEqual(['by the other']);
    });

    it('refuses the second one in the same process with 409 and Retry-After', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const key = randomUUID();
      const db = { ...app.db };
      const request: IdempotentCreate = {
        name: 'POST /api/DateIdeas',
        coupleId,
        key,
        readAgain: async () => 'deleted',
      };
      const running = Promise.withResolvers<void>();
      const first = runIdempotent({ db, now: Date.now }, request, () => running.promise);
      const twin = runIdempotent({ db, now: Date.now }, request, async () => 'run');
      await expect(twin).rejects.toMatchObject({ status: 409, retryAfter: 1 });
      running.resolve();
      await first;
      expect(await runIdempotent({ db, now: Date.now }, request, async () => 'run')).toBe('run');
    });

    // On SQLite there is one node.
    it.each([engine].filter((one) => one === postgresAndS3))(
      'refuses with 409 one that waits too long for another node',
      { tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'] },
      async () => {
        const key = randomUUID();
        const holding = Promise.withResolvers<void>();
        const release = Promise.withResolvers<void>();
        const row = { coupleId, key, fingerprint: 'another', status: 201, headers: '{}', body: '{}', createdId: '' };
        const held = app.db.write(async (tx) => {
          await tx
            .insertInto('replies')
            .values({ ...row, createdAt: Date.now(), claimedUntil: 0, claimedBy: null })
            .execute();
          holding.resolve();
          await release.promise;
        });
        await holding.promise;
        await expect(create(key, 'not to be')).rejects.toMatchObject({ status: 409, retryAfter: 1 });
        release.resolve();
        await held;
        expect(await titles()).not.toContain('not to be');
      },
    );

    it('is free again after an error', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const key = randomUUID();
      await expect(create(key, 'never', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
      expect((await create(key, 'at last')).body.title).toBe('at last');
    });
  });

  describe('gives its first reply for a day, and what it created as it is now for ninety days', () => {
    it('with an idea', { tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'] }, async () => {
      const key = randomUUID();
      const first = await addIdea(key, 'A first thought');
      const params = { id: first.body.id };
      await ada.call('PUT /api/DateIdeas/{id}', { params, body: { title: 'A second thought', category: 'Food' } });
      await age(key, 23 * HOUR);
      expect(await addIdea(key, 'A first thought')).toMatchObject({ status: 201, body: first.body });
      await age(key, 25 * HOUR);
      const changed = await addIdea(key, 'A first thought');
      expect([changed.status, changed.body.id, changed.body.title]).toEqual([200, params.id, 'A second thought']);
      await sweepReplies({ db: app.db, now: Date.now });
      await age(key, 89 * DAY);
      expect((await addIdea(key, 'A first thought')).status).toBe(200);
      expect((await addIdea(key, 'Another thought')).status).toBe(422);
      await ada.call('DELETE /api/DateIdeas/{id}', { params });
      expect((await addIdea(key, 'A first thought')).status).toBe(410);
      await age(key, 91 * DAY);
      expect((await addIdea(key, 'A first thought')).status).toBe(201);
    });

    it('with a date, also if its idea was deleted', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const key = randomUUID();
      const idea = await addIdea(randomUUID(), 'A concert');
      const body = { dateIdeaId: idea.body.id, plannedDateTime: new Date(Date.now() + DAY).toISOString() };
      const plan = () => ada.call('POST /api/PlannedDates', { body }, headers(key));
      const first = await plan();
      await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.body.id } });
      await age(key, 2 * DAY);
      expect(await plan()).toMatchObject({ status: 200, body: { id: first.body.id, status: 'Planned' } });
      await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: first.body.id } });
      expect((await plan()).status).toBe(410);
    });

    it('with a photograph, also if its date was deleted', {
      tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
    }, async () => {
      const key = randomUUID();
      const photo = await makeJpeg({ seed: 7 });
      const { id: dateId } = await planDate(ada);
      const send = (bytes = photo) => upload(ada, bytes, { dateId, caption: 'Us' }, key);
      const first = await send();
      expect(first.status).toBe(201);
      await age(key, 2 * DAY);
      expect(await send()).toMatchObject({ status: 200, body: first.body });
      expect((await send(await makeJpeg({ seed: 8 }))).status).toBe(422);
      await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: dateId } });
      expect((await send()).status).toBe(410);
      expect((await ada.call('GET /api/Memories')).body.map(({ id }) => id)).not.toContain(first.body.id);
    });
  });

  it('is 410 for a partner from whom the surprise that it created is hidden, with its photographs', {
    tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
  }, async () => {
    const keys = { date: randomUUID(), photo: randomUUID() };
    const idea = await addIdea(randomUUID(), 'A secret');
    const plannedDateTime = new Date(Date.now() + DAY).toISOString();
    const body = { dateIdeaId: idea.body.id, plannedDateTime, surprise: true };
    const plan = (who: Partner) => who.call('POST /api/PlannedDates', { body }, headers(keys.date));
    const { id: dateId } = (await plan(ada)).body;
    const photo = await makeJpeg({ seed: 9 });
    expect((await upload(ada, photo, { dateId }, keys.photo)).status).toBe(201);
    expect((await plan(ben)).status).toBe(410);
    expect((await upload(ben, photo, { dateId }, keys.photo)).status).toBe(410);
    expect((await plan(ada)).status).toBe(201);
  });

  describe('that a node of version 1.0.0 has claimed', () => {
    const claim = async (claimedUntil: number) => {
      const key = randomUUID();
      const empty = { fingerprint: null, status: null, headers: null, body: null, createdId: null };
      const row = { coupleId, key, ...empty, createdAt: Date.now(), claimedUntil, claimedBy: 'a node' };
      await app.db.write((tx) => tx.insertInto('replies').values(row).execute());
      return key;
    };

    it('is 409 with Retry-After while that node may live, and free afterwards', {
      tags: ['wire.retrying.6'],
    }, async () => {
      const busy = await addIdea(await claim(Date.now() + 20_000), 'Too early');
      expect([busy.status, busy.headers.get('retry-after')]).toEqual([409, '1']);
      expect((await addIdea(await claim(Date.now() - 1), 'After a dead node')).status).toBe(201);
    });

    it('is free if that node died while its clock was wrong', { tags: ['durability.store.6'] }, async () => {
      expect((await addIdea(await claim(Date.now() + 40 * DAY), 'After a wrong clock')).status).toBe(201);
    });

    it('gives what that node created after a day too', { tags: ['wire.retrying.6'] }, async () => {
      const key = randomUUID();
      const first = await addIdea(key, 'By the older version');
      await app.db.write((tx) => tx.updateTable('replies').set({ createdId: null }).where('key', '=', key).execute());
      expect((await addIdea(key, 'By the older version')).status).toBe(201);
      await age(key, 2 * DAY);
      expect((await addIdea(key, 'By the older version')).status).toBe(200);
      await sweepReplies({ db: app.db, now: Date.now });
      expect(await addIdea(key, 'By the older version')).toMatchObject({ status: 200, body: { id: first.body.id } });
    });
  });

  it('keeps neither a reply for more than a day nor itself for more than ninety', {
    tags: ['wire.retrying.1', 'wire.retrying.2', 'wire.retrying.3'],
  }, async () => {
    const [young, old, ancient] = [randomUUID(), randomUUID(), randomUUID()];
    for (const key of [young, old, ancient]) await addIdea(key, 'Kept for a while');
    await age(old, 25 * HOUR);
    await age(ancient, 91 * DAY);
    await sweepReplies({ db: app.db, now: Date.now });
    const rows = await app.db.read
      .selectFrom('replies')
      .selectAll()
      .where('key', 'in', [young, old, ancient])
      .execute();
    const kept = new Map(rows.map(({ key, body }) => [key, body !== null]));
    expect([kept.get(young), kept.get(old), kept.get(ancient)]).toEqual([true, false, undefined]);
  });
});
