import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import type { PlannedDate } from './contract.ts';
import { displayStatus } from './display-status.ts';
import type { DateSort, DateTab } from './list-rules.ts';
import { DATE_SORTS, DATE_TABS, dateSummary, datesOfTab, noDatesText, tabsWithCounts } from './list-rules.ts';
import { NO_TEXTS } from './optional-texts.ts';
import type { DateStatus } from './rules.ts';
import { STATUSES } from './rules.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
let made = 0;

function planned(title: string, days: number, status: DateStatus = 'Planned'): PlannedDate {
  made += 1;
  const idea = {
    id: 'i',
    description: null,
    category: 'Romantic',
    plannedDatesCount: 1,
    lastPlannedDate: null,
  } as const;
  return {
    id: `0000-${String(made).padStart(4, '0')}`,
    status,
    plannedDateTime: new Date(NOW + days * DAY).toISOString(),
    endDateTime: null,
    ...NO_TEXTS,
    actualStartTime: null,
    actualEndTime: null,
    actualDuration: null,
    memoryCount: 0,
    createdAt: '',
    updatedAt: '',
    surprise: null,
    lookBack: true,
    dateIdea: { ...idea, title },
  };
}

const dates = [
  planned('Zoo', 5),
  planned('bath', -3, 'Completed'),
  planned('Äpfel', 0),
  planned('Cinema', -9),
  planned('Dance', 2, 'InProgress'),
  planned('Era', 3, 'Cancelled'),
  planned('Farm', 1),
];
const shown = (tab: DateTab, sort: DateSort) =>
  datesOfTab(dates, { tab, sort }, NOW, 'UTC').map((date) => date.dateIdea.title);

describe('the list of planned dates', () => {
  it.each([
    ['date-asc', ['Dance', 'Cinema', 'bath', 'Äpfel', 'Farm', 'Era', 'Zoo']],
    ['date-desc', ['Dance', 'Zoo', 'Era', 'Farm', 'Äpfel', 'bath', 'Cinema']],
    ['title', ['Dance', 'Äpfel', 'bath', 'Cinema', 'Era', 'Farm', 'Zoo']],
    ['status', ['Dance', 'Äpfel', 'Cinema', 'Farm', 'Zoo', 'bath', 'Era']],
  ] as const)('by %s, in progress first', { tags: ['dates.list.3'] }, (sort, titles) =>
    expect(shown('all', sort)).toEqual(titles),
  );

  it.each([
    ['upcoming', ['Cinema', 'Äpfel', 'Farm', 'Zoo']],
    ['in-progress', ['Dance']],
    ['completed', ['bath']],
    ['cancelled', ['Era']],
  ] as const)('the tab %s', { tags: ['dates.list.2'] }, (tab, titles) =>
    expect(shown(tab, 'date-asc')).toEqual(titles),
  );

  it('counts each tab, and shows Cancelled only if there are cancelled dates', { tags: ['dates.list.2'] }, () => {
    const counted = tabsWithCounts(dates, NOW, 'UTC').map(({ label, count }) => `${label} ${count}`);
    expect(counted).toEqual(['All 7', 'Upcoming 4', 'Active 1', 'Completed 1', 'Cancelled 1']);
    const labels = tabsWithCounts([], NOW, 'UTC').map(({ label, count }) => `${label} ${count}`);
    expect(labels).toEqual(['All 0', 'Upcoming 0', 'Active 0', 'Completed 0']);
  });

  it('every date is in All and in one other tab, and the counts are right', () => {
    const some = fc.array(
      fc.record({ days: fc.integer({ min: -50, max: 50 }), status: fc.constantFrom(...STATUSES.map((s) => s.value)) }),
    );
    const sorts = fc.constantFrom(...DATE_SORTS.map(({ value }) => value));
    fc.assert(
      fc.property(some, sorts, (list, sort) => {
        const given = list.map(({ days, status }) => planned('x', days, status));
        const of = (tab: DateTab) => datesOfTab(given, { tab, sort }, NOW, 'Asia/Tokyo');
        const apart = DATE_TABS.filter(({ value }) => value !== 'all').flatMap(({ value }) => of(value));
        expect(new Set(apart)).toEqual(new Set(given));
        expect(apart).toHaveLength(given.length);
        for (const { value, count } of tabsWithCounts(given, NOW, 'Asia/Tokyo')) expect(of(value)).toHaveLength(count);
        const underWay = of('all').map((date) => displayStatus(date, NOW, 'Asia/Tokyo') === 'in-progress');
        expect(underWay).toEqual(underWay.toSorted((a, b) => Number(b) - Number(a)));
      }),
    );
  });

  it('reports the number of dates, and the text of an empty tab', { tags: ['dates.list.4', 'dates.list.13'] }, () => {
    expect([0, 1, 12].map(dateSummary)).toEqual(['0 dates found', '1 date found', '12 dates found']);
    expect(DATE_TABS.map(({ value }) => noDatesText(value))).toEqual([
      'No dates planned yet! Start by browsing date ideas and planning our first romantic moment.',
      'No upcoming dates planned. Time to schedule some romance!',
      'No dates currently in progress.',
      'No completed dates yet. Start creating beautiful memories!',
      'No cancelled dates.',
    ]);
  });
});
