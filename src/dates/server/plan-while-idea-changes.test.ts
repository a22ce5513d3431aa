import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCompetingConnection } from '../../../tests/support/competing-connection.ts';
import { describeOnBoth, postgresAndS3 } from '../../../tests/support/engines.ts';
import { addIdea } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';

describeOnBoth('planning a date from an idea', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeEach(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app));
  });
  afterEach(() => app.close());

  const plan = (dateIdeaId: string) => {
    const plannedDateTime = new Date(Date.now() + 86_400_000).toISOString();
    return ada.call('POST /api/PlannedDates', { body: { dateIdeaId, plannedDateTime } });
  };
  const count = async () => (await ada.call('GET /api/PlannedDates')).body.length;

  it('that the partner deactivates at the same time: 409, or the date was planned first', {
    tags: ['wire.editing.3'],
  }, async () => {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { id, title, category } = await addIdea(ada);
        const body = { title, category, isActive: false } as const;
        const [planned, edited] = await Promise.all([
          plan(id),
          ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body }),
        ]);
        expect(edited.status).toBe(200);
        // The edit saw the date that was planned first.
        if (planned.status === 201) expect(edited.body.plannedDatesCount).toBe(1);
        return planned.status;
      }),
    );
    expect([...new Set(statuses)].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(await count()).toBe(statuses.filter((status) => status === 201).length);
  });

  it.each(engine === postgresAndS3 ? ['deactivates', 'deletes'] : [])(
    'waits for the transaction that %s it',
    { tags: ['wire.editing.3'] },
    async (what) => {
      const competitor = await openCompetingConnection(app.storage);
      const { id } = await addIdea(ada);
      await competitor.query('begin');
      const set = what === 'deactivates' ? '"isActive" = 0' : '"deletedAt" = 1';
      await competitor.query(`update ideas set ${set} where id = $1`, [id]);
      const planning = plan(id);
      await competitor.waitUntilBlocked();
      await competitor.query('commit');
      expect((await planning).status).toBe(what === 'deactivates' ? 409 : 404);
      expect(await count()).toBe(0);
      await competitor.close();
    },
  );
});
