import { expect, it } from 'vitest';
import { registerCouple } from '../../../tests/support/client.ts';
import { withEmptyDatabase } from '../../../tests/support/empty-database.ts';
import { describeOnBoth, onPostgresOnly } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../../tests/support/factories.ts';
import { useTwoNodes } from '../../../tests/support/two-nodes.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { migrateTo } from '../../base/server/db/open.ts';
import { DAY } from '../../base/time.ts';
import { openAlbumCache } from './album-cache.ts';
import { trashDate } from './store.ts';

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
    const reading = () => find({ coupleId, now: Date.now() }, async () => (readings += 1));
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

  it('is empty while a surprise is sealed, so that no time tells of a change behind it', async () => {
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
    const ask = (answer: string, key = '') => find({ coupleId, now: Date.now(), key }, async () => answer);
    const failing = find({ coupleId, now: Date.now() }, async () => Promise.reject(new Error('out of reach')));
    await expect(failing).rejects.toThrow('out of reach');
    expect([await ask('there'), await ask('again')]).toEqual(['there', 'there']);
    expect([await ask('another', 'key'), await ask('again')]).toEqual(['another', 'there']);
    expect(await ask('a third', 'another key')).toBe('a third');
    expect(await ask('again')).toBe('again');
  });

  it('keeps nothing that is read while the album changes, and has what leaves out a date read as it is seen', async () => {
    const { ada, coupleId, date } = await openAlbum();
    const find = openAlbumCache<string>(nodes.app.db, 2);
    let seed = 10;
    const changing = async () => {
      await addPhoto(ada.at(nodes.other), date.id, (seed += 1));
      return 'changing';
    };
    const of = { coupleId, now: Date.now() };
    expect([await find(of, changing), await find(of, async () => 'later')]).toEqual(['changing', 'later']);
    await addPhoto(ada, date.id, 2);
    const asSeen = async () => 'as it is seen';
    const both = [find(of, changing, asSeen), find(of, changing, asSeen)];
    expect(await Promise.all(both)).toEqual(['as it is seen', 'as it is seen']);
    expect(await find(of, async () => 'again', asSeen)).toBe('again');
    await planDate(ada, { surprise: true });
    expect(await find(of, async () => 'all', asSeen)).toBe('as it is seen');
  });

  it('has a value read once for all who ask at the same time', async () => {
    const { ada, coupleId } = await openAlbum();
    const find = openAlbumCache<string>(nodes.app.db, 2);
    const [begun, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const of = { coupleId, now: Date.now() };
    const first = find(of, async () => {
      begun.resolve();
      await reading.promise;
      return 'the first';
    });
    await begun.promise;
    const others = [find(of, async () => 'the second'), find(of, async () => 'the third')];
    // They have found out by then that the album is the same.
    await ada.call('GET /api/DateIdeas');
    reading.resolve();
    expect(await Promise.all([first, ...others])).toEqual(['the first', 'the first', 'the first']);
  });

  it('is used again after a surprise is revealed by its time', async () => {
    const { ada, coupleId } = await openAlbum();
    const at = Date.now() + DAY;
    await planDate(ada, { surprise: true, at });
    const find = openAlbumCache<number>(nodes.app.db, 2);
    const ask = (now: number, answer: number) => find({ coupleId, now }, async () => answer);
    expect([await ask(at - 1, 1), await ask(at - 1, 2)]).toEqual([1, 2]);
    expect([await ask(at, 3), await ask(at, 4)]).toEqual([3, 3]);
  });

  onPostgresOnly(engine, () => {
    it('lets nothing wait for a transaction that has changed the album, and no two for each other', async () => {
      const { ada, coupleId, date, photo } = await openAlbum();
      const { db } = nodes.app;
      const attempts = { date: 0, photo: 0 };
      const photoIsHeld = Promise.withResolvers<void>();
      const dateIsChanged = Promise.withResolvers<void>();
      const by = ada.user.id as UserId;
      const deletingPhoto = db.write(async (tx) => {
        attempts.photo += 1;
        await tx.updateTable('memories').set({ deletedAt: 1 }).where('id', '=', photo.id).execute();
        photoIsHeld.resolve();
        await dateIsChanged.promise;
      });
      await photoIsHeld.promise;
      const deletingDate = db.write(async (tx) => {
        attempts.date += 1;
        await trashDate(tx, coupleId, date.id, by, 2);
        dateIsChanged.resolve();
        await tx.updateTable('memories').set({ dateDeletedAt: 2 }).where('id', '=', photo.id).execute();
      });
      await Promise.all([deletingPhoto, deletingDate]);
      expect(attempts).toEqual({ date: 1, photo: 1 });
    });
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
