import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Partner, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import { memoryRow } from '../../../tests/support/memory-row.ts';
import { useTwoNodes } from '../../../tests/support/two-nodes.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { DAY, MINUTE } from '../../base/time.ts';
import { STATUSES } from '../../dates/rules.ts';
import { openMemoryTotals } from '../../memories/server/lists.ts';
import { insertMemory } from '../../memories/server/store.ts';
import { byMonth } from '../periods.ts';
import { recordsOf } from '../records.ts';
import { categoriesOf } from '../rules.ts';
import { openFigures } from './figures.ts';

const someDate = fc.nat(3);
/** A statement that changes what figures are made of. */
const change = fc.oneof(
  fc.record({ of: someDate, status: fc.constantFrom(...STATUSES.map(({ value }) => value)) }),
  fc.record({ of: someDate, start: fc.integer({ min: -400, max: 0 }), minutes: fc.nat(300) }),
  fc.record({ of: someDate, deletedAt: fc.constantFrom(null, 1) }),
  fc.record({ of: someDate, sealed: fc.boolean() }),
  fc.record({ of: someDate, photo: fc.nat(2 ** 31) }),
  fc.record({ of: someDate, erases: fc.constantFrom('all' as const, 'photos' as const) }),
  fc.record({ title: fc.constantFrom('A walk', 'A swim') }),
  fc.record({ category: fc.constantFrom('Food' as const, 'Outdoor' as const) }),
  fc.record({ zone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York') }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

describeOnBoth('cached figures', (engine) => {
  const nodes = useTwoNodes(engine);

  it('are those of a node that has just started, after any change, also one that is rolled back', async () => {
    const { db } = nodes.app;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ change, fails: fc.boolean() }), { maxLength: 12 }), async (changes) => {
        const { ada, ben } = await registerCouple(nodes.app);
        const ids: string[] = [];
        for (let n = 0; n < 4; n += 1)
          ids.push((await completeDate(ada, { at: Date.now() - (n + 1) * DAY, minutes: 9 })).id);
        const kept = openFigures(db, openMemoryTotals(db));
        await figuresFor(kept, ben);
        for (const { change: one, fails } of changes) {
          const failure = new Error('rolled back');
          const done = nodes.other.db.write(async (tx) => {
            await apply(tx, ada, ids, one);
            if (fails) throw failure;
          });
          if (fails) await expect(done).rejects.toBe(failure);
          else await done;
          expect(await figuresFor(kept, ben)).toEqual(await figuresFor(openFigures(db, openMemoryTotals(db)), ben));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('are those of a node that has just started, after each change of an evening', async () => {
    const { ada, ben } = await registerCouple(nodes.app);
    const date = await completeDate(ada, { at: Date.now() - 5 * DAY, minutes: 60 });
    await addPhoto(ada, date.id);
    const { db } = nodes.app;
    const kept = openFigures(db, openMemoryTotals(db));
    const expectSame = async () => {
      expect(await figuresFor(kept, ben)).toEqual(await figuresFor(openFigures(db, openMemoryTotals(db)), ben));
    };
    await expectSame();
    const surprise = await planDate(ada, { surprise: true, idea: { title: 'Under the stars', category: 'Romantic' } });
    await expectSame();
    await addPhoto(ada, surprise.id, 3);
    await expectSame();
    await ada.call('POST /api/PlannedDates/{id}/start', { params: { id: surprise.id } });
    await expectSame();
    await addPhoto(ben, surprise.id, 4);
    await expectSame();
    const times = { actualStartTime: new Date().toISOString(), actualEndTime: new Date().toISOString() };
    await ben.call('POST /api/PlannedDates/{id}/complete', { params: { id: surprise.id }, body: times });
    await expectSame();
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: date.id } });
    await expectSame();
    await ada.call('DELETE /api/Trash/{id}', { params: { id: date.id } });
    await expectSame();
  });
});

/** Changes one of the dates, unless it was erased, or what all of them share. */
async function apply(tx: Writer, { user }: Partner, ids: readonly string[], one: Change): Promise<void> {
  const [coupleId, userId] = [user.couple.id as CoupleId, user.id as UserId];
  const ideas = tx.updateTable('ideas').where('coupleId', '=', coupleId);
  if ('title' in one) await ideas.set({ title: one.title }).execute();
  if ('category' in one) await ideas.set({ category: one.category }).execute();
  if ('zone' in one) await tx.updateTable('couples').where('id', '=', coupleId).set({ timeZone: one.zone }).execute();
  if (!('of' in one)) return;
  const id = ids[one.of] ?? '';
  const key = { coupleId, dateId: id };
  const date = tx.updateTable('dates').where('coupleId', '=', coupleId).where('id', '=', id);
  const { numUpdatedRows } = await date.set(({ ref }) => ({ version: ref('version') })).executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  if ('status' in one) await date.set({ status: one.status }).execute();
  if ('start' in one) {
    const start = Date.now() + one.start * DAY;
    const times = { actualStartTime: start, actualEndTime: start + one.minutes * MINUTE };
    await date.set({ ...times, plannedDateTime: start + 2 * DAY }).execute();
  }
  if ('deletedAt' in one) await date.set({ deletedAt: one.deletedAt }).execute();
  if ('sealed' in one) {
    const row = { surpriseBy: userId, revealedAt: one.sealed ? null : 1, shownVersion: 1, shownUpdatedAt: 1 };
    await tx
      .insertInto('surprises')
      .values({ ...key, ...row })
      .onConflict((conflict) => conflict.columns(['coupleId', 'dateId']).doUpdateSet(row))
      .execute();
  }
  if ('photo' in one) await insertMemory(tx, memoryRow(coupleId, id, one.photo));
  if ('erases' in one) {
    const memories = tx.deleteFrom('memories').where('coupleId', '=', coupleId).where('dateId', '=', id);
    await memories.execute();
    if (one.erases === 'all')
      await tx.deleteFrom('dates').where('coupleId', '=', coupleId).where('id', '=', id).execute();
  }
}

/** All figures, as one partner may see them. Like the answers, they do not depend on the order in which SQL returns rows. */
async function figuresFor(figures: ReturnType<typeof openFigures>, { user }: Partner) {
  const viewer = { coupleId: user.couple.id, userId: user.id } as Parameters<typeof figures.memories>[0];
  const { coupleId } = viewer;
  const now = Date.now();
  const { zone, sums } = await figures.months(coupleId, now);
  const months = byMonth(sums, now, zone);
  const photographed = await figures.mostPhotographed(viewer, now);
  return {
    zone,
    months,
    totals: await figures.totals(coupleId, now),
    milestones: await figures.milestones(coupleId, now),
    memories: await figures.memories(viewer, now),
    categories: categoriesOf(await figures.categories(coupleId, now)),
    records: recordsOf(await figures.recordDates(coupleId, now), photographed ? [photographed] : [], months),
    statuses: await figures.statuses(coupleId, now),
    years: await figures.years(coupleId, now),
    stats: await figures.stats(viewer, now),
  };
}
