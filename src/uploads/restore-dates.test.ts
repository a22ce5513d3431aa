import { describe, expect, it } from 'vitest';
import { assignDates } from './restore-dates.ts';

const kept = (id: string, dateId?: string | null, ownDateId: string | null = null) => {
  const words = { id, captured: false, caption: `words of ${id}`, ownDateId, attempt: null };
  return dateId === undefined ? words : { ...words, dateId };
};
const dates = (...given: Parameters<typeof assignDates>) => {
  const { dateId, photos } = assignDates(...given);
  return [dateId, ...photos.map(({ ownDateId }) => ownDateId)];
};

describe('the dates of restored photos', () => {
  it('are selected again if none is selected on the page', () => {
    expect(dates([kept('a', 'arezzo'), kept('b', 'arezzo')], null, null)).toEqual(['arezzo', null, null]);
    expect(dates([kept('a', null), kept('b', 'beach')], null, null)).toEqual(['beach', null, null]);
    expect(dates([kept('a', null)], null, null)).toEqual([null, null]);
  });

  it('stay with the photo if another date is selected on the page, or was selected for the others', () => {
    expect(dates([kept('a', 'arezzo'), kept('b', 'beach')], 'beach', null)).toEqual(['beach', 'arezzo', null]);
    expect(dates([kept('a', 'arezzo'), kept('b', 'beach')], null, null)).toEqual(['arezzo', null, 'beach']);
  });

  it('keep a photo’s own date, and use the run’s date for a photo saved without one', () => {
    expect(dates([kept('a', 'arezzo', 'lake')], 'beach', null)).toEqual(['beach', 'lake']);
    expect(dates([kept('a')], null, 'arezzo')).toEqual(['arezzo', null]);
    expect(dates([kept('a', null)], null, 'arezzo')).toEqual([null, null]);
  });
});
