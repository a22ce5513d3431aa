import { expect, it } from 'vitest';
import { registerCouple } from '../../../tests/support/client.ts';
import { withEmptyDatabase } from '../../../tests/support/empty-database.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import { useTwoNodes } from '../../../tests/support/two-nodes.ts';
import type { CoupleId } from '../../base/ids.ts';
import { migrateTo } from '../../base/server/db/open.ts';
import { DAY } from '../../base/time.ts';
import { openAlbumCache } from './album-cache.ts';

describeOnBoth('the cache of an album', (engine) => {
  const nodes = useTwoNodes(engine);

  /** A couple with a completed date and its photograph, and a function that tells which reading of the album is cached. */
  async function openAlbum() {
    const { ada, ben } = await registerCouple(nodes.app);
    const coupleId = ada.user.couple.id as CoupleId;
    const date = await completeDate(ada, { at: Date.now() - 5 * DAY, minutes: 60 });
    const photo = await addPhoto(ada, date.id);
    const find = openAlbumCache<number>(nodes.app.db, 10);
    let readings = 0;
    const reading = () => find(coupleId, async () => (readings += 1));
    return { ada, ben, coupleId, date, photo, reading };
  }

  it('is read again after each change of what figures are made of, on any node', async () => {
    const { ada, date, photo, reading } = await openAlbum();
    const there = ada.at(nodes.other);
    const { id: idea } = await addIdea(ada);
    const { id: plannedId } = await planDate(ada, { idea });
    const photoParams = { params: { id: photo.id } };
    const dateParams = { params: { id: date.id } };
    const changes: Record<string, () => Promise<unknown>> = {
      'a planned date': () => planDate(there, { idea }),
      'another time': () =>
        there.call('PUT /api/PlannedDates/{id}', {
          params: { id: plannedId },
          body: { plannedDateTime: new Date(Date.now() + 9 * DAY).toISOString() },
        }),
      'a date that starts': () => startDate(there, { idea }),
      'a date that ends': () => completeDate(there, { idea, at: Date.now() - DAY, minutes: 5 }),
      'a photograph': () => addPhoto(there, date.id, 2),
      'a photograph in the trash': () => there.call('DELETE /api/Memories/{id}', photoParams),
      'a photograph that is back': () => there.call('POST /api/Trash/{id}/restore', photoParams),
      'a date in the trash': () => there.call('DELETE /api/PlannedDates/{id}', dateParams),
      'a date that is back': () => there.call('POST /api/Trash/{id}/restore', dateParams),
      'another title': () =>
        there.call('PUT /api/DateIdeas/{id}', {
          params: { id: date.dateIdea.id ?? '' },
          body: { title: 'By the river', category: 'Outdoor' },
        }),
      'another category': () =>
        there.call('PUT /api/DateIdeas/{id}', {
          params: { id: date.dateIdea.id ?? '' },
          body: { title: 'By the river', category: 'Food' },
        }),
      'another time zone': () => there.call('PUT /api/couple', { body: { timeZone: 'Asia/Tokyo' } }),
    };
    for (const [name, change] of Object.entries(changes)) {
      const before = await reading();
      expect([name, await reading()]).toEqual([name, before]);
      expect([name, await statusOf(change)]).toEqual([name, true]);
      expect([name, await reading()]).toEqual([name, before + 1]);
    }
  });

  it('stays after what changes no figure, and after the change of another couple', async () => {
    const { ada, ben, date, reading } = await openAlbum();
    const { id: idea } = await addIdea(ada);
    const other = await registerCouple(nodes.app);
    const before = await reading();
    await ada.call('PUT /api/DateIdeas/{id}/heart', { params: { id: idea } });
    await ben.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date.id }, body: { text: 'So warm' } });
    await ada.call('PUT /api/couple', { body: { togetherSince: '2020-02-29' } });
    await completeDate(other.ada, { at: Date.now() - DAY, minutes: 60 });
    expect(await reading()).toBe(before);
  });

  it('is empty while a surprise waits, so that no time tells of a change behind it', async () => {
    const { ada, reading } = await openAlbum();
    const { id } = await planDate(ada, { surprise: true });
    const waiting = [await reading(), await reading()] as const;
    expect(waiting[1]).toBe(waiting[0] + 1);
    await ada.call('POST /api/PlannedDates/{id}/start', { params: { id } });
    expect(await reading()).toBe(await reading());
  });

  it('keeps no error, tells keys apart, and is cleared when it is full', async () => {
    const { coupleId } = await openAlbum();
    const find = openAlbumCache<string>(nodes.app.db, 2);
    await expect(find(coupleId, async () => Promise.reject(new Error('out of reach')))).rejects.toThrow('out of reach');
    expect(await find(coupleId, async () => 'there')).toBe('there');
    expect(await find(coupleId, async () => 'again')).toBe('there');
    expect(await find(coupleId, async () => 'another', 'key')).toBe('another');
    expect(await find(coupleId, async () => 'a third', 'another key')).toBe('a third');
    expect(await find(coupleId, async () => 'again')).toBe('again');
  });
});

describeOnBoth('the revision of an album', (engine) => {
  it('is there for couples from before the migration, and goes with its couple as an older version deletes it', async () => {
    await withEmptyDatabase(engine, async ({ db, migrate }) => {
      await migrateTo(migrate, '0029-fewer-date-indexes');
      const couple = (id: string) => ({ id: id as CoupleId, timeZone: 'UTC', createdAt: 1, togetherSince: null });
      await migrate.insertInto('couples').values(couple('us')).execute();
      await migrateTo(migrate, null);
      await migrate.insertInto('couples').values(couple('others')).execute();
      const revisions = () => db.read.selectFrom('albumRevisions').selectAll().orderBy('coupleId').execute();
      const all = await revisions();
      expect(all.map(({ coupleId }) => coupleId)).toEqual(['others', 'us']);
      expect(new Set(all.map(({ revision }) => revision)).size).toBe(2);
      await migrate.deleteFrom('couples').execute();
      expect(await revisions()).toEqual([]);
    });
  });
});

/** Whether a change was accepted. What a factory returns was accepted, or it would have thrown. */
async function statusOf(change: () => Promise<unknown>): Promise<boolean> {
  const { status = 200 } = (await change()) as { status?: number | string };
  return typeof status === 'string' || status < 300;
}
