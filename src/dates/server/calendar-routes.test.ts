import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth, sqliteAndDisk } from '../../../tests/support/engines.ts';
import { addIdea, planDate, startDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerAda, registerCouple } from '../../../tests/support/register-couple.ts';
import { spawnServer } from '../../../tests/support/spawn-server.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../tests/support/test-storage.ts';

/** Parses the events of a calendar into objects of property values. It unfolds folded lines first. */
function eventsOf(text: unknown): Record<string, string>[] {
  expect(String(text)).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r?\n?$/);
  const lines = String(text)
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n');
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') events.push({});
    const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    Object.assign(events.at(-1) ?? {}, { [name]: value });
  }
  return events;
}

describeOnBoth('the calendar', (engine) => {
  let app: TestApp;
  let now = Date.parse('2026-11-21T12:00:00Z');
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
  });
  afterAll(() => app.close());

  const linkOf = async (who: Partner) => {
    const { status, body } = await who.call('POST /api/calendar');
    expect(status).toBe(201);
    return body.url;
  };
  const read = async (url: string) => {
    const answer = await new Caller('').request(`GET ${url as `/${string}`}`);
    return { ...answer, events: answer.status === 200 ? eventsOf(answer.body) : [] };
  };
  const byTitle = (events: Record<string, string>[], title: string) => events.find(({ SUMMARY }) => SUMMARY === title);

  it('contains every date with a stable UID, UTC times, escaped texts, and always an end', {
    tags: ['dates.calendar.1'],
  }, async () => {
    const { ada, ben } = await registerCouple(app, 'Europe/Rome');
    const dinner = await planDate(ada, {
      idea: { title: 'Dinner; just us, two' },
      at: '2026-12-05T19:30:00+01:00',
      location: 'Via Roma 1, Turin',
      notes: 'Bring flowers\nand a \\ map',
    });
    const walk = await planDate(ben, {
      idea: { title: 'A walk' },
      at: '2026-12-06T10:00:00Z',
      end: '2026-12-06T15:00:00Z',
    });
    await startDate(ada, { idea: { title: 'Under way' }, at: now });
    const url = await linkOf(ben);
    const { status, headers, events } = await read(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(events).toHaveLength(3);
    expect(byTitle(events, 'Dinner\\; just us\\, two')).toMatchObject({
      UID: dinner.id,
      SEQUENCE: '0',
      DTSTART: '20261205T183000Z',
      DTEND: '20261205T203000Z',
      STATUS: 'CONFIRMED',
      LOCATION: 'Via Roma 1\\, Turin',
      DESCRIPTION: 'Bring flowers\\nand a \\\\ map',
      URL: `${app.url}/planned-dates/${dinner.id}`,
    });
    expect(byTitle(events, 'A walk')).toMatchObject({ UID: walk.id, DTEND: '20261206T150000Z' });
    expect((await read(url)).body).toBe((await read(url)).body);
  });

  it('reflects changes and cancellations, and omits deleted dates', { tags: ['dates.calendar.1'] }, async () => {
    const { ada } = await registerCouple(app);
    const idea = { title: 'Theatre' };
    const date = await planDate(ada, { idea, at: '2026-12-05T19:00:00Z' });
    const gone = await planDate(ada, { idea: { title: 'Never' }, at: '2026-12-07T19:00:00Z' });
    const url = await linkOf(ada);
    now += 60_000;
    const body = { plannedDateTime: '2026-12-06T20:00:00Z', location: 'The old one' };
    await ada.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: gone.id } });
    const { events: moved } = await read(url);
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatchObject({ UID: date.id, SEQUENCE: '1', DTSTART: '20261206T200000Z' });
    expect(moved[0]?.['LAST-MODIFIED']).toBe('20261121T120100Z');
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: date.id } });
    expect((await read(url)).events[0]).toMatchObject({ UID: date.id, SEQUENCE: '2', STATUS: 'CANCELLED' });
  });

  it('is sent again only after a change, to a calendar that names the ETag it has', {
    tags: ['dates.calendar.3'],
  }, async () => {
    const { ada } = await registerCouple(app);
    const idea = await addIdea(ada, { title: 'Theatre' });
    const { id } = await planDate(ada, { idea: idea.id, at: '2026-12-05T19:00:00Z' });
    const url = await linkOf(ada);
    const poll = (etag: string) => fetch(url, { headers: { 'if-none-match': etag } });
    const first = await poll('"another"');
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    let etag = first.headers.get('etag') ?? '';
    const changed = async () => {
      const answer = await poll(etag);
      expect(answer.headers.get('etag') === etag).toBe(answer.status === 304);
      if (answer.status === 304) expect(await answer.text()).toBe('');
      etag = answer.headers.get('etag') ?? '';
      return answer.status === 200;
    };
    expect(await changed()).toBe(false);
    await ada.call('PUT /api/DateIdeas/{id}', {
      params: { id: idea.id },
      body: { title: 'Opera', category: 'Cultural' },
    });
    expect(await changed()).toBe(true);
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    expect(await changed()).toBe(true);
    await ada.call('DELETE /api/PlannedDates/{id}', { params: { id } });
    expect(await changed()).toBe(true);
    expect(await changed()).toBe(false);
  });

  it("opens with each partner's own link until it is revoked or replaced; any other link is 404", {
    tags: ['dates.calendar.2'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    await planDate(ada, { idea: { title: 'Ours' }, at: '2026-12-05T19:00:00Z' });
    expect((await ada.call('GET /api/calendar')).body.createdAt).toBeNull();
    expect((await ada.call('DELETE /api/calendar')).status).toBe(404);
    const first = await linkOf(ada);
    const bens = await linkOf(ben);
    expect((await ada.call('GET /api/calendar')).body.createdAt).not.toBeNull();
    const second = await linkOf(ada);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).events).toHaveLength(1);
    expect((await ada.call('DELETE /api/calendar')).status).toBe(204);
    expect((await read(second)).status).toBe(404);
    expect((await read(bens)).status).toBe(200);
    for (const wrong of ['x', bens.slice(0, -5), bens.replace(/.\.ics$/, '-.ics'), bens.replace('.ics', '')]) {
      expect((await read(wrong.startsWith('http') ? wrong : `${app.url}/api/calendar/${wrong}.ics`)).status).toBe(404);
    }
    expect(JSON.stringify(await app.db.read.selectFrom('calendarLinks').selectAll().execute())).not.toContain(
      bens.slice(-20, -4),
    );
  });

  it('exports a single date', async () => {
    const { ada, ben } = await registerCouple(app);
    const { id } = await planDate(ada, { idea: { title: 'Just this one' }, at: '2026-12-05T19:00:00Z' });
    await planDate(ada, { idea: { title: 'Another' }, at: '2026-12-06T19:00:00Z' });
    const answer = await ben.request('GET /api/PlannedDates/{id}/calendar', { params: { id } });
    expect(eventsOf(answer.body)).toMatchObject([{ UID: id, SUMMARY: 'Just this one' }]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.ics"$/);
  });
});

it('the secret of a link never appears in a log, at any level', { tags: ['dates.calendar.2'] }, async () => {
  const storage = await createTestStorage(sqliteAndDisk);
  const server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
  const ada = await registerAda(server);
  const { body } = await ada.call('POST /api/calendar');
  const secret = body.url.split('/').at(-1) ?? '';
  const opened = await new Caller(server.url).request('GET /api/calendar/{secret}.ics', {
    params: { secret: secret.replace('.ics', '') },
  });
  expect(opened.status).toBe(200);
  await new Caller(server.url).request(`GET /api/calendar/${secret}x`);
  await server.kill();
  expect(server.output()).not.toContain(secret.slice(0, 20));
  await storage.remove();
});
