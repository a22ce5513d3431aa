import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../src/app/server/slices.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('malformed input', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk);
    ada = await registerAda(app);
  });
  afterAll(() => app.close());
  const json = (body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${app.url}/api/DateIdeas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', ...headers },
      body,
    });

  it('accepts only JSON in UTF-8 up to a limited size', { tags: ['wire.http.2'] }, async () => {
    const idea = { title: 'A walk', category: 'Outdoor' };
    const body = JSON.stringify(idea);
    const limit = 1_048_576;
    const padded = (bytes: number) => body.replace('{', `{"more":"${'x'.repeat(bytes - body.length - 10)}",`);
    expect(padded(limit).length).toBe(limit);
    expect((await json(padded(limit))).status).toBe(201);
    expect((await json(padded(limit + 1))).status).toBe(413);
    for (const [type, status] of [
      ['application/json; charset=utf-8', 201],
      ['application/json; charset=iso-8859-1', 415],
      ['application/json; charset=utf-16', 415],
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      ['application/xml', 415],
    ] as const)
      expect((await json(body, { 'content-type': type })).status, type).toBe(status);
    for (const encoding of ['gzip', 'br', 'deflate'])
      expect((await json(body, { 'content-encoding': encoding })).status, encoding).toBe(415);
    for (const broken of ['', '{', '[]', 'null', '"text"', '1', '{"title":', `${body},`])
      expect((await json(broken)).status, broken).toBe(400);
  });

  it('survives bodies of any depth', { tags: ['wire.http.2'] }, async () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    expect((await json(`{"title":"Deep","category":"Outdoor","more":${deep}}`)).status).toBe(201);
    expect((await json(deep)).status).toBe(400);
  });

  it('sets no unknown fields', { tags: ['wire.http.2'] }, async () => {
    const answer = await json(
      '{"title":"Mine","category":"Outdoor","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},' +
        '"id":"0192aaaa-0000-7000-8000-000000000000","coupleId":"another","createdAt":"2001-01-01T00:00:00.000Z","plannedDatesCount":99}',
    );
    expect(answer.status).toBe(201);
    const idea = (await answer.json()) as Record<string, unknown>;
    expect(idea).toMatchObject({ title: 'Mine', plannedDatesCount: 0 });
    expect(idea.id).not.toBe('0192aaaa-0000-7000-8000-000000000000');
    expect(idea.createdAt).not.toBe('2001-01-01T00:00:00.000Z');
    expect(Object.keys(idea)).not.toContain('coupleId');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('refuses texts that cannot be displayed, and saves all others unchanged', { tags: ['wire.http.2'] }, async () => {
    const post = (title: string) => json(JSON.stringify({ title, category: 'Outdoor' }));
    for (const title of ['nul\u0000', 'bell\u0007', 'escape\u001b[31m', 'half \ud83d', 'other half \udc9b']) {
      const answer = await post(title);
      expect(answer.status, JSON.stringify(title)).toBe(400);
      expect((await answer.json()) as object).toMatchObject({ errors: [{ field: 'title' }] });
    }
    // Stacked marks, changes of direction, and markup are text: saved and shown only as text.
    for (const title of [
      'Z̸̡̛͖a̵͝l̷g̶o̴',
      '\u202Ereversed',
      '<img src=x onerror=alert(1)>',
      "'; drop table ideas; --",
      '👨‍👩‍👧‍👦',
    ])
      expect(((await (await post(title)).json()) as { title: string }).title).toBe(title.normalize('NFC'));
  });

  it('refuses bytes that are not UTF-8', { tags: ['wire.http.2'] }, async () => {
    expect((await json(Buffer.from('{"title":"\xff\xfe\xfd","category":"Outdoor"}', 'latin1'))).status).toBe(400);
  });

  it('refuses dates that do not exist', { tags: ['wire.values.6'] }, async () => {
    const { id } = await addIdea(ada);
    for (const plannedDateTime of [
      '2027-02-30T19:00:00.000Z',
      '2027-02-29T19:00:00Z',
      '2027-13-01T19:00:00Z',
      '2027-04-31T19:00:00Z',
      '2027-01-01T24:30:00Z',
      '2027-01-01T19:60:00Z',
      '2026-12-31T23:59:60Z',
      '2027-01-01T19:00:00+25:00',
      '2027-01-01T19:00:00',
      '2027-01-01',
      '01/02/2027',
      '1e12',
      'tomorrow',
    ]) {
      const { status, problem } = await ada.call('POST /api/PlannedDates', {
        body: { dateIdeaId: id, plannedDateTime },
      });
      expect(status, plannedDateTime).toBe(400);
      expect(problem.errors.map(({ field }) => field)).toEqual(['plannedDateTime']);
    }
  });

  it('finds nothing for malformed ids', { tags: ['wire.errors.3'] }, async () => {
    const ids = ['%00', "'", '%27%20or%201=1--', 'a'.repeat(3000), '-1', 'null', '%F0%9F%92%9B', '%25%32%66', '0'];
    const names = Object.values(contracts).flatMap((calls) => Object.keys(calls));
    const withId = names.filter((name) => name.startsWith('GET ') && /\{(id|\w+Id|fileName|category)\}$/.test(name));
    expect(withId.length).toBeGreaterThan(4);
    for (const name of withId) {
      for (const id of ids) {
        const path = name.slice(4).replace(/\{\w+\}$/, id);
        const { status } = await fetch(app.url + path, { headers: { authorization: `Bearer ${ada.token}` } });
        // A category is not an id: an unknown one is 400.
        expect(name.includes('category') ? [400, 404] : [404], `${name} ${id.slice(0, 20)}`).toContain(status);
      }
    }
  });
});
