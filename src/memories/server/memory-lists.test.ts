import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { planDateId } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { upload } from '../../../tests/support/upload.ts';
import type { Memory } from '../contract.ts';
import type { MemorySort } from '../sorts.ts';

const START = Date.UTC(2026, 10, 1, 12);

describeOnBoth('lists of memories', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let park: string;
  let lake: string;
  let now = START;
  const all: Memory[] = [];

  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
    ({ ada, ben } = await registerCouple(app));
    [park, lake] = [await planDateId(ada, 'The park'), await planDateId(ada, 'The lake')];
    for (let n = 0; n < 7; n += 1) {
      // Each two are uploaded in the same millisecond.
      now = START + Math.floor(n / 2) * 1000;
      const photo = await makeJpeg({ seed: n + 1, width: 40 + (n % 3) * 40, height: 40 });
      all.push((await upload(ada, photo, { dateId: n < 5 ? park : lake })).body);
    }
  });
  afterAll(() => app.close());

  const ids = (memories: readonly Memory[]) => memories.map((memory) => memory.id);
  const inOrder = (sort: MemorySort, memories: readonly Memory[]) => {
    const key = (memory: Memory) => (sort === 'size' ? memory.fileSizeBytes : Date.parse(memory.uploadedAt));
    const rising = [...memories].sort((a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1));
    return ids(sort === 'date-asc' ? rising : rising.toReversed());
  };
  /** Follows the links from the first page, and returns all pages. */
  const follow = async (path: string) => {
    const pages: Memory[][] = [];
    const totals = new Set<string | null>();
    for (let next: string | undefined = path; next !== undefined; ) {
      const response: Response = await fetch(app.url + next, { headers: { authorization: `Bearer ${ben.token}` } });
      expect(response.status).toBe(200);
      pages.push((await response.json()) as Memory[]);
      totals.add(response.headers.get('x-total-count'));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    return { pages, totals: [...totals] };
  };

  it('come newest first, with the total count', { tags: ['memories.lists.1'] }, async () => {
    const { body, headers } = await ben.call('GET /api/Memories');
    expect(ids(body)).toEqual(inOrder('date-desc', all));
    expect(headers.get('x-total-count')).toBe('7');
    expect(headers.get('link')).toBeNull();
    expect(body).toEqual(expect.arrayContaining(all));
  });

  it.each(['date-desc', 'date-asc', 'size'] as const)(
    'return every memory once, page by page, sorted by %s',
    { tags: ['memories.lists.2'] },
    async (sort) => {
      for (const count of [1, 2, 3, 7]) {
        const { pages, totals } = await follow(`/api/Memories?sort=${sort}&count=${count}`);
        expect(ids(pages.flat())).toEqual(inOrder(sort, all));
        expect(pages.map((page) => page.length)).toEqual(
          Array.from({ length: Math.ceil(7 / count) }, (_, page) => Math.min(count, 7 - page * count)),
        );
        expect(totals).toEqual(['7']);
      }
    },
  );

  it('of one date are the same at both addresses', async () => {
    const expected = inOrder('date-desc', all.slice(0, 5));
    for (const path of [`/api/Memories?plannedDateId=${park}&count=2`, `/api/Memories/planned-date/${park}?count=2`]) {
      const { pages, totals } = await follow(path);
      expect(ids(pages.flat())).toEqual(expected);
      expect(totals).toEqual(['5']);
    }
    expect((await ada.call('GET /api/Memories', { query: { plannedDateId: '' } })).body).toHaveLength(7);
  });

  it.each(['date-desc', 'date-asc', 'size'] as const)(
    'start anywhere and skip some, sorted by %s',
    { tags: ['memories.lists.1'] },
    async (sort) => {
      const ordered = inOrder(sort, all);
      for (const skip of [0, 1, 4, 6, 7]) {
        const { body, headers } = await ben.call('GET /api/Memories', {
          query: { sort, skip: String(skip), count: '2' },
        });
        expect(ids(body)).toEqual(ordered.slice(skip, skip + 2));
        expect(headers.get('x-total-count')).toBe('7');
        expect(headers.has('link')).toBe(skip < 5);
      }
      const { pages } = await follow(`/api/Memories?sort=${sort}&skip=3&count=2`);
      expect(ids(pages.flat())).toEqual(ordered.slice(3));
    },
  );

  it('keep their position while memories are added and deleted', { tags: ['memories.lists.2'] }, async () => {
    const first = await ada.call('GET /api/Memories', { query: { count: '3' } });
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    now += 60_000;
    const late = await upload(ada, await makeJpeg({ seed: 99, width: 48, height: 48 }), { dateId: lake });
    const rest = await follow(next);
    expect(ids([...first.body, ...rest.pages.flat()])).toEqual(inOrder('date-desc', all));
    await ada.call('DELETE /api/Memories/{id}', { params: { id: late.body.id } });
    expect((await ada.call('GET /api/Memories')).headers.get('x-total-count')).toBe('7');
  });

  it.each([
    ['count', '0'],
    ['count', '501'],
    ['count', 'many'],
    ['count', '1.5'],
    ['sort', 'beauty'],
    ['cursor', 'nonsense'],
    ['cursor', Buffer.from('["date-desc",1,"no id"]').toString('base64url')],
    ['cursor', Buffer.from('["size",1,"019ab3c4-1111-7222-8333-444455556666"]').toString('base64url')],
    ['cursor', ''],
    ['skip', '-1'],
    ['skip', 'some'],
  ])('refuse %s=%j', { tags: ['memories.lists.1'] }, async (field, value) => {
    for (const path of ['/api/Memories', `/api/Memories/planned-date/${park}`] as const) {
      const { status, problem } = await ada.request(`GET ${path}`, { query: { [field]: value } });
      expect(status).toBe(400);
      expect(problem.errors.map((error) => error.field)).toEqual([field]);
    }
  });

  it('return 404 for other couples’ dates and for invalid ids', { tags: ['memories.lists.1'] }, async () => {
    const { ada: eve } = await registerCouple(app);
    for (const [who, id] of [
      [eve, park],
      [ada, '019ab3c4-1111-7222-8333-444455556666'],
      [ada, 'nonsense'],
    ] as const) {
      expect((await who.call('GET /api/Memories', { query: { plannedDateId: id } })).status).toBe(404);
      expect((await who.request('GET /api/Memories', { query: { plannedDateId: id, count: '0' } })).status).toBe(404);
      const params = { plannedDateId: id };
      expect((await who.call('GET /api/Memories/planned-date/{plannedDateId}', { params })).status).toBe(404);
      expect((await who.call('GET /api/Memories/planned-date/{plannedDateId}/stats', { params })).status).toBe(404);
    }
    const { body, headers } = await eve.call('GET /api/Memories');
    expect([body, headers.get('x-total-count')]).toEqual([[], '0']);
    expect((await eve.call('GET /api/Memories/{id}', { params: { id: all[0]?.id ?? '' } })).status).toBe(404);
  });

  it('have statistics for a date', { tags: ['uploads.wire.8'] }, async () => {
    const { body } = await ben.call('GET /api/Memories/planned-date/{plannedDateId}/stats', {
      params: { plannedDateId: park },
    });
    const bytes = all.slice(0, 5).reduce((sum, memory) => sum + memory.fileSizeBytes, 0);
    expect(body).toMatchObject({ plannedDateId: park, memoryCount: 5, totalSizeBytes: bytes });
    expect(body.formattedTotalSize).toMatch(/^\d+(\.\d)? (bytes|KB)$/);
    expect(body.firstUploadedAt).toBe(new Date(START).toISOString());
    expect(body.lastUploadedAt).toBe(new Date(START + 2000).toISOString());
    const empty = await planDateId(ada, 'Nothing yet');
    expect(
      (await ada.call('GET /api/Memories/planned-date/{plannedDateId}/stats', { params: { plannedDateId: empty } }))
        .body,
    ).toEqual({
      plannedDateId: empty,
      memoryCount: 0,
      totalSizeBytes: 0,
      formattedTotalSize: '0 bytes',
      firstUploadedAt: null,
      lastUploadedAt: null,
    });
  });

  it('are counted per date', async () => {
    const { body } = await ada.call('GET /api/PlannedDates');
    const counts = new Map(body.map((date) => [date.id, date.memoryCount]));
    expect([counts.get(park), counts.get(lake)]).toEqual([5, 2]);
  });
});

describeOnBoth('the months of a list', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let walk: string;
  let now = 0;
  const kept: Memory[] = [];
  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now });
    now = Date.UTC(2026, 10, 20, 11);
    ({ ada } = await registerCouple(app, 'Europe/Rome'));
    walk = await planDateId(ada, 'A walk');
    // The second is October in London and November in Rome; none is in September. The clock runs backward, so that no
    // session expires.
    for (const at of ['2026-11-20T10:00Z', '2026-10-31T23:30Z', '2026-10-31T22:59Z', '2026-08-05T10:00Z']) {
      now = Date.parse(at);
      kept.unshift((await upload(ada, await makeJpeg({ seed: kept.length + 1, width: 48 }), { dateId: walk })).body);
    }
  });
  afterAll(() => app.close());

  const months = (query: Record<string, string> = {}) => ada.call('GET /api/Memories/months', { query });
  const said = async (query?: Record<string, string>) =>
    (await months(query)).body.map(({ month, count }) => [month, count]);

  it('use the requested zone, or else the couple’s, and leave out empty months', {
    tags: ['memories.lists.3'],
  }, async () => {
    const inRome = [
      ['2026-11', 2],
      ['2026-10', 1],
      ['2026-08', 1],
    ];
    expect(await said()).toEqual(inRome);
    expect(await said({ zone: 'Europe/Rome', sort: 'date-asc' })).toEqual(inRome.toReversed());
    expect(await said({ zone: 'Europe/London' })).toEqual([
      ['2026-11', 1],
      ['2026-10', 2],
      ['2026-08', 1],
    ]);
  });

  it.each(['date-desc', 'date-asc'] as const)(
    'each start a page, sorted by %s',
    { tags: ['memories.lists.3'] },
    async (sort) => {
      const ordered = sort === 'date-asc' ? kept : kept.toReversed();
      let position = 0;
      for (const { count, cursor } of (await months({ sort })).body) {
        const { body } = await ada.call('GET /api/Memories', { query: { sort, cursor } });
        expect(body).toEqual(ordered.slice(position));
        const further = await ada.call('GET /api/Memories', { query: { sort, cursor, skip: String(count) } });
        position += count;
        expect(further.body).toEqual(ordered.slice(position));
      }
      expect(position).toBe(kept.length);
    },
  );

  it('are limited to one date, and to the couple', async () => {
    const other = await planDateId(ada, 'Nothing yet');
    expect(await said({ plannedDateId: walk })).toEqual(await said());
    expect(await said({ plannedDateId: other })).toEqual([]);
    const { ada: eve } = await registerCouple(app);
    expect((await eve.call('GET /api/Memories/months')).body).toEqual([]);
    expect((await eve.call('GET /api/Memories/months', { query: { plannedDateId: walk } })).status).toBe(404);
  });

  it('do not count memories in the trash', async () => {
    const id = kept.at(-1)?.id ?? '';
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    expect((await said())[0]).toEqual(['2026-11', 1]);
    await ada.call('POST /api/Trash/{id}/restore', { params: { id } });
    expect((await said())[0]).toEqual(['2026-11', 2]);
  });

  it.each([
    ['zone', 'Mars/Olympus'],
    ['zone', '+01:00'],
    ['sort', 'size'],
  ])('refuse %s=%s', async (field, value) => {
    const { status, problem } = await ada.request('GET /api/Memories/months', { query: { [field]: value } });
    expect([status, problem.errors.map((error) => error.field)]).toEqual([400, [field]]);
  });
});
