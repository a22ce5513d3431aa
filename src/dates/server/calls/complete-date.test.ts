import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { startDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { HOUR, MINUTE } from '../../../base/durations.ts';

describeOnBoth('completing a date', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let id = '';
  let now = Date.parse('2026-11-21T12:00:00Z');
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    now = Date.parse('2026-11-21T12:00:00Z');
    ({ ada } = await registerCouple(app));
    ({ id } = await startDate(ada, { at: now, notes: 'Bring a coat' }));
    now += 2 * HOUR;
  });

  const iso = (distance: number) => new Date(now + distance).toISOString();
  const get = (id: string) => ada.call('GET /api/PlannedDates/{id}', { params: { id } });
  const complete = (id: string, body: object) =>
    ada.request('POST /api/PlannedDates/{id}/complete', { params: { id }, body });

  it('keeps the recorded start and the old notes if they are absent or null', {
    tags: ['dates.wire.2'],
  }, async () => {
    const done = await complete(id, { actualEndTime: iso(-10 * MINUTE), notes: null });
    expect(done.body).toMatchObject({
      status: 'Completed',
      actualStartTime: iso(-2 * HOUR),
      actualEndTime: iso(-10 * MINUTE),
      actualDuration: '1h 50m',
      notes: 'Bring a coat',
    });
  });

  it('replaces the start and the notes if given, and clears notes with a blank text', {
    tags: ['dates.wire.2'],
  }, async () => {
    const body = { actualStartTime: iso(-30 * HOUR), actualEndTime: iso(0), notes: ' Lovely ' };
    expect((await complete(id, body)).body).toMatchObject({
      actualStartTime: iso(-30 * HOUR),
      actualDuration: '30h',
      notes: 'Lovely',
    });
    const other = await startDate(ada, { at: now, notes: 'Gone' });
    now += 59_999;
    const short = await complete(other.id, { actualEndTime: iso(0), actualStartTime: '', notes: ' ' });
    expect(short.body).toMatchObject({ actualDuration: '0m', notes: null });
  });

  it.each([
    ['no end', {}, 'actualEndTime', 'End time is required'],
    ['an end that is none', { actualEndTime: 'soon' }, 'actualEndTime', 'End time is not a real date and time'],
    [
      'an end at the recorded start',
      { actualEndTime: '2026-11-21T12:00:00Z' },
      'actualEndTime',
      'End time must be after start time',
    ],
    [
      'an end before the given start',
      { actualEndTime: '2026-11-21T13:00:00Z', actualStartTime: '2026-11-21T13:00:01Z' },
      'actualEndTime',
      'End time must be after start time',
    ],
    [
      'an end more than five minutes ahead',
      { actualEndTime: '2026-11-21T14:05:00.001Z' },
      'actualEndTime',
      'End time cannot be in the future',
    ],
    [
      'a start before the year 2000',
      { actualEndTime: '2026-11-21T13:00:00Z', actualStartTime: '0001-01-01T00:00:00Z' },
      'actualStartTime',
      'Start time cannot be before the year 2000',
    ],
    [
      'notes of 1001',
      { actualEndTime: '2026-11-21T13:00:00Z', notes: 'n'.repeat(1001) },
      'notes',
      'Notes cannot exceed 1000 characters',
    ],
  ])('refuses %s', async (_, body, field, message) => {
    const before = await get(id);
    const refused = await complete(id, body);
    expect(refused).toMatchObject({ status: 400, problem: { errors: [{ field, message }] } });
    expect((await get(id)).body).toEqual(before.body);
  });

  it('accepts an end five minutes ahead', async () => {
    expect((await complete(id, { actualEndTime: iso(5 * MINUTE) })).status).toBe(200);
  });

  it('reports invalid times before the status', { tags: ['wire.errors.2'] }, async () => {
    await complete(id, { actualEndTime: iso(0) });
    expect((await complete(id, { actualEndTime: iso(-9 * HOUR) })).status).toBe(400);
    expect(await complete(id, { actualEndTime: iso(0) })).toMatchObject({
      status: 409,
      problem: { message: 'This date is not currently in progress and cannot be completed.' },
    });
  });
});
