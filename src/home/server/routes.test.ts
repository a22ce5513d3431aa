import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../../tests/support/story.ts';

describeOnBoth('the dashboard', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
  });
  afterAll(() => app.close());

  it('is empty to begin with', async () => {
    const { ada } = await registerCouple(app);
    const { status, body } = await ada.call('GET /api/Stats/dashboard');
    expect(status).toBe(200);
    expect(body).toMatchObject({ stats: { totalCompletedDates: 0 }, nextDate: null, recentMemories: [] });
  });

  it('holds what its three calls answer: figures, the next date, the newest six memories', async () => {
    const { ada, ben } = await registerCouple(app);
    const { id: idea } = await addIdea(ada);
    await planDate(ada, { idea, at: Date.now() + 9 * 86_400_000 });
    const next = await planDate(ben, { idea, at: Date.now() + 3_600_000 });
    const done = await completeDate(ada, { idea, at: Date.now() - 86_400_000, minutes: 90 });
    for (let seed = 1; seed <= 7; seed += 1) {
      await addPhoto(ada, done.id, seed);
    }
    const { body } = await ben.call('GET /api/Stats/dashboard');
    expect(body.nextDate?.id).toBe(next.id);
    expect(body.nextDate).toEqual((await ben.call('GET /api/PlannedDates/next')).body);
    expect(body.stats).toEqual((await ben.call('GET /api/Stats')).body);
    expect(body.stats).toMatchObject({ formattedTotalTime: '1h 30m', totalMemories: 7 });
    expect(body.recentMemories).toEqual((await ben.call('GET /api/Memories', { query: { count: '6' } })).body);
    expect(body.recentMemories.map(({ originalFileName }) => originalFileName)).toEqual([
      ...['photo-7.jpg', 'photo-6.jpg', 'photo-5.jpg', 'photo-4.jpg', 'photo-3.jpg', 'photo-2.jpg'],
    ]);
  });
});
