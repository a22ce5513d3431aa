import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateLabel,
  dateName,
  emptyText,
  foundText,
  memoryAt,
  monthsOf,
  named,
  nearerEnd,
  nextCursor,
  placeOf,
  stepPlace,
} from './gallery.ts';

const arezzo = { id: 'arezzo', plannedDateTime: '2026-10-17T08:50:00.000Z', dateIdea: { title: 'Two days in Arezzo' } };

describe('names', () => {
  it('calls a date by its idea and its day', () => {
    expect(dateLabel(arezzo, 'Europe/Rome')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, dateIdea: null }, 'Europe/Rome')).toBe('Date - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, plannedDateTime: null }, 'Europe/Rome')).toBe('Two days in Arezzo - Unknown');
    expect(dateName([arezzo], 'arezzo', 'UTC')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateName([arezzo], 'beach', 'UTC')).toBe('Unknown Date');
  });

  it('sums up what was found', () => {
    expect(foundText(1, null)).toBe('1 memory found');
    expect(foundText(147, 'Two days in Arezzo - Oct 17, 2026')).toBe(
      '147 memories found for Two days in Arezzo - Oct 17, 2026',
    );
    expect(emptyText(true)).toBe('No memories found for this date. Start capturing beautiful moments!');
    expect(emptyText(false)).toBe('No memories yet! Upload our first photo to start building our gallery.');
  });

  it('names a button by the caption', () => {
    expect([named('View', null), named('Delete', 'Rain')]).toEqual(['View', 'Delete: Rain']);
  });
});

describe('pages', () => {
  it('finds the next one in the Link header', () => {
    expect(nextCursor('</api/Memories?count=30&cursor=a%3Db&sort=size>; rel="next"')).toBe('a=b');
    expect(nextCursor('</api/Memories?count=30>; rel="prev"')).toBeNull();
    expect(nextCursor(null)).toBeNull();
  });

  it('parts a list into months of the zone', () => {
    const at = (uploadedAt: string) => ({ uploadedAt });
    // Half past eleven in the evening of 31 October in London is November in Rome.
    const late = at('2026-10-31T23:30:00.000Z');
    const early = at('2026-10-02T10:00:00.000Z');
    expect(monthsOf([late, early], 'Europe/Rome').map(({ name }) => name)).toEqual(['November 2026', 'October 2026']);
    expect(monthsOf([late, early], 'Europe/London')).toEqual([{ name: 'October 2026', memories: [late, early] }]);
  });

  it('loses no memory, and begins a month only where it is another', () => {
    const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2026-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.array(day), (days) => {
        const memories = days.map((date) => ({ uploadedAt: date.toISOString() }));
        const months = monthsOf(memories, 'Europe/Rome');
        expect(months.flatMap((month) => month.memories)).toEqual(memories);
        months.slice(1).forEach(({ name }, n) => expect(name).not.toBe(months[n]?.name));
      }),
    );
  });
});

describe('the slideshow', () => {
  it('finds a memory from either end', () => {
    expect([0, 1, 2, 3, 4].map((place) => memoryAt(['a', 'b'], ['e'], 5, place))).toEqual([
      'a',
      'b',
      undefined,
      undefined,
      'e',
    ]);
  });

  it('goes round in both directions', () => {
    expect(stepPlace(0, -1, 5)).toBe(4);
    expect(stepPlace(4, 1, 5)).toBe(0);
    expect(stepPlace(0, 1, 0)).toBe(0);
    fc.assert(
      fc.property(fc.nat(99), fc.integer({ min: -300, max: 300 }), (place, by) => {
        expect(stepPlace(stepPlace(place, by, 100), -by, 100)).toBe(place);
      }),
    );
  });
});

describe('the slide that is shown', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id })) as [
    { id: string },
    { id: string },
    { id: string },
    { id: string },
  ];

  it('stays the same one where others come or go before it', () => {
    expect(placeOf([d, a, b], [], 4, { id: 'b', place: 1 })).toBe(2);
    expect(placeOf([b], [], 4, { id: 'b', place: 1 })).toBe(0);
    expect(placeOf([a], [d, c], 9, { id: 'c', place: 3 })).toBe(7);
  });

  it('gives way to the one after it, and at the end to the first', () => {
    expect(placeOf([a, c], [], 2, { id: 'b', place: 1 })).toBe(1);
    expect(placeOf([a, b], [], 2, { id: 'c', place: 2 })).toBe(0);
  });

  it('is sought from the nearer end', () => {
    expect(nearerEnd(30, 0, 147, 30)).toBe('head');
    expect(nearerEnd(30, 0, 147, 146)).toBe('tail');
    expect(nearerEnd(30, 30, 147, 116)).toBe('tail');
  });
});
