import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from './contract.ts';
import {
  currentPlace,
  emptyAlbum,
  FIRST_COUNT,
  type MonthCount,
  memoriesOf,
  memoryAt,
  type PagedAlbum,
  requestsFor,
  searchMemory,
  sheetIndexAt,
  shownCount,
  withoutMemory,
  withPage,
} from './paged-album.ts';

const month = (name: string, count: number): MonthCount => ({ month: name, count, cursor: `to ${name}` });
const november = month('2026-11', 23);
const october = month('2026-10', 5);
const album = emptyAlbum([november, october], 'date-desc');
const all = (count: number) => Array.from({ length: count }, (_, n) => ({ id: String(n) }) as Memory);
const sizes = ({ sheets }: PagedAlbum) => sheets.map(({ key, from, count }) => [key, from, count]);
const keys = (...wanted: string[]) => new Set(wanted);

describe('the sheets of an album', () => {
  it('hold one month each, with the remainder at the end where photos are added', () => {
    expect(sizes(album)).toEqual([
      ['2026-11/1', 0, 11],
      ['2026-11/0', 11, 12],
      ['2026-10/0', 23, 5],
    ]);
    expect(sizes(emptyAlbum([october, november], 'date-asc'))).toEqual([
      ['2026-10/0', 0, 5],
      ['2026-11/0', 5, 12],
      ['2026-11/1', 17, 11],
    ]);
    expect(sizes(emptyAlbum([{ month: null, count: 18, cursor: null }], 'size'))).toEqual([
      ['/0', 0, 12],
      ['/1', 12, 6],
    ]);
    expect(album.sheets.map(({ opens, closes }) => [opens, closes])).toEqual([
      [true, false],
      [false, true],
      [true, true],
    ]);
  });

  it('cover every index once; the first sheet fits on the first page', { tags: ['memories.gallery.13'] }, () => {
    const counts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(counts, fc.constantFrom('date-desc', 'date-asc'), (counts, sort) => {
        const { sheets, total } = emptyAlbum(
          counts.map((count, n) => month(`m${n}`, count)),
          sort,
        );
        expect(sheets.reduce((sum, { count }) => sum + count, 0)).toBe(total);
        sheets.forEach(({ from, count }, n) => {
          expect(from + count).toBe(sheets[n + 1]?.from ?? total);
          expect(count).toBeLessThanOrEqual(FIRST_COUNT);
          expect(sheetIndexAt(sheets, from)).toBe(n);
          expect(sheetIndexAt(sheets, from + count - 1)).toBe(n);
        });
      }),
    );
  });

  it('keep their keys when a photo is added to their month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (count) => {
        const [before, after] = [count, count + 1].map((n) => emptyAlbum([month('m', n)], 'date-desc').sheets);
        // All but the newest sheet: the same keys, at the same distance from the month's end.
        for (const { key, from } of before?.slice(1) ?? []) {
          expect(after?.find((sheet) => sheet.key === key)?.from).toBe(from + 1);
        }
      }),
    );
  });
});

describe('requests for sheets', () => {
  it('start at the beginning of a month, and join neighboring sheets', () => {
    const [first, second] = requestsFor(album, keys('2026-11/0', '2026-10/0'));
    expect(first).toMatchObject({ cursor: 'to 2026-11', skip: 11, count: 17 });
    expect(second).toBeUndefined();
    expect(requestsFor(album, keys('2026-10/0', '2026-11/1')).map(({ cursor, skip, count }) => [cursor, skip, count]))
      // The month between them is not requested.
      .toEqual([
        ['to 2026-11', 0, 11],
        ['to 2026-10', 0, 5],
      ]);
  });

  it('continue where a page ended, and fetch nothing twice', () => {
    const begun = withPage(album, 0, { memories: all(11), next: 'after the first' });
    expect(requestsFor(begun, keys('2026-11/1'))).toEqual([]);
    expect(requestsFor(begun, keys('2026-11/0'))[0]).toMatchObject({ cursor: 'after the first', skip: 0, count: 12 });
  });

  it('never ask for more than one server page holds', { tags: ['memories.gallery.13'] }, () => {
    const long = emptyAlbum([month('m', 2400)], 'date-desc');
    const requests = requestsFor(long, new Set(long.sheets.map(({ key }) => key)));
    expect(requests.reduce((sum, { count }) => sum + count, 0)).toBe(2400);
    for (const { count } of requests) expect(count).toBeLessThanOrEqual(96);
  });
});

describe('loaded sheets', () => {
  it('are complete', () => {
    const first = withPage(album, 0, { memories: all(22), next: null });
    expect([...first.loaded.keys()]).toEqual(['2026-11/1']);
    expect(memoryAt(first, 10)?.id).toBe('10');
    expect(memoryAt(first, 11)).toBeUndefined();
    const second = withPage(first, 11, { memories: all(17), next: null });
    expect(memoryAt(second, 11)?.id).toBe('0');
    expect(memoryAt(second, 27)?.id).toBe('16');
    expect(memoryAt(second, 28)).toBeUndefined();
  });

  it('are dropped when they are far away', { tags: ['memories.gallery.13'] }, () => {
    let long = emptyAlbum([month('m', 12 * 200)], 'date-asc');
    for (const { from } of long.sheets) long = withPage(long, from, { memories: all(12), next: null });
    expect(long.loaded.size).toBe(48);
    expect(memoryAt(long, 0)).toBeUndefined();
    expect(memoryAt(long, long.total - 20)).toBeDefined();
  });

  it('hide deleted memories', () => {
    const loaded = withPage(album, 0, { memories: all(11), next: null });
    const without = withoutMemory(loaded, '4');
    expect(shownCount(without)).toBe(27);
    expect(memoryAt(without, 4)).toBeUndefined();
    const [sheet] = without.sheets;
    expect(sheet && memoriesOf(without, sheet)?.map(({ id }) => id)).not.toContain('4');
    expect(withoutMemory(loaded, 'of another list')).toBe(loaded);
  });
});

describe('searching for a memory', { tags: ['home.dashboard.18'] }, () => {
  const list = (['date-desc', 'date-asc', 'story-desc', 'story-asc', 'size'] as const).map((sort) => [sort] as const);

  it.each(list)('finds it in a few steps, sorted by %s', (sort) => {
    const many = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 900 });
    fc.assert(
      fc.property(many, fc.nat(), (values, pick) => {
        // Several have the same time or size: ids break the tie.
        const memories = values.map((value, n) => {
          const id = String(n).padStart(4, '0');
          const time = new Date(value * 1000).toISOString();
          return { id, uploadedAt: time, happenedAt: time, fileSizeBytes: value } as Memory;
        });
        const order = sort.endsWith('asc') ? 1 : -1;
        memories.sort((a, b) => order * (a.fileSizeBytes - b.fileSizeBytes || (a.id < b.id ? -1 : 1)));
        let found = emptyAlbum(
          [{ ...month('1970-01', values.length), month: sort === 'size' ? null : '1970-01' }],
          sort,
        );
        const place = pick % values.length;
        for (let steps = 0; steps < 8; steps += 1) {
          const search = searchMemory(found, memories[place] as Memory, '1970-01', sort);
          if (search === null || 'place' in search) {
            expect(search).toEqual({ place });
            return;
          }
          const { from, count } = search.load;
          found = withPage(found, from, { memories: memories.slice(from, from + count), next: null });
        }
        throw new Error('Not found in eight steps');
      }),
    );
  });

  it('returns null if its month, its position or the memory itself is missing', () => {
    const one = { id: '5', uploadedAt: '2026-11-02T00:00:00.000Z' } as Memory;
    const small = withPage(emptyAlbum([month('2026-11', 2)], 'date-desc'), 0, {
      memories: [
        { id: '9', uploadedAt: '2026-11-03T00:00:00.000Z' } as Memory,
        { id: '1', uploadedAt: '2026-11-01T00:00:00.000Z' } as Memory,
      ],
      next: null,
    });
    expect(searchMemory(small, one, '2026-11', 'date-desc')).toBeNull();
    expect(searchMemory(small, one, '2026-10', 'date-desc')).toBeNull();
    expect(searchMemory(withoutMemory(small, '9'), { ...one, id: '9' }, '2026-11', 'date-desc')).toBeNull();
  });
});

describe('the current slide', () => {
  const loaded = withPage(album, 0, { memories: all(11), next: null });

  it('stays the same when memories before it are added or removed', () => {
    expect(currentPlace(loaded, { id: '7', place: 3 })).toBe(7);
  });

  it('moves to the next memory when it is deleted, and from the end to the first', () => {
    expect(currentPlace(loaded, { id: 'deleted', place: 5 })).toBe(5);
    expect(currentPlace(loaded, { id: 'deleted', place: 28 })).toBe(0);
  });
});
