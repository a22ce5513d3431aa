import { expect, it } from 'vitest';
import { type Partner, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addPhoto, completeDate, planDate } from '../../../tests/support/factories.ts';
import { useTwoNodes } from '../../../tests/support/two-nodes.ts';
import { DAY } from '../../base/time.ts';
import { openMemoryCounts } from '../../memories/server/lists.ts';
import { openFigures } from './figures.ts';

describeOnBoth('cached figures', (engine) => {
  const nodes = useTwoNodes(engine);

  it('are those of a node that has just started, after each change of an evening', async () => {
    const { ada, ben } = await registerCouple(nodes.app);
    const date = await completeDate(ada, { at: Date.now() - 5 * DAY, minutes: 60 });
    await addPhoto(ada, date.id);
    const { db } = nodes.app;
    const kept = openFigures(db, openMemoryCounts(db));
    const expectSame = async () => {
      expect(await figuresFor(kept, ben)).toEqual(await figuresFor(openFigures(db, openMemoryCounts(db)), ben));
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

/** All figures, as one partner may see them. */
async function figuresFor(figures: ReturnType<typeof openFigures>, { user }: Partner) {
  const viewer = { coupleId: user.couple.id, userId: user.id } as Parameters<typeof figures.memories>[0];
  const { coupleId } = viewer;
  return {
    totals: await figures.totals(coupleId),
    milestones: await figures.milestones(coupleId),
    memories: await figures.memories(viewer, Date.now()),
    months: await figures.months(coupleId),
    categories: await figures.categories(coupleId),
    recordDates: await figures.recordDates(coupleId),
    mostPhotographed: await figures.mostPhotographed(viewer, Date.now()),
    statuses: await figures.statuses(coupleId),
    years: await figures.years(coupleId),
    stats: await figures.stats(viewer, Date.now()),
  };
}
