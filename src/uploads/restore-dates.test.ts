import { describe, expect, it } from 'vitest';
import { restoreDates } from './restore-dates.ts';

const kept = (id: string, dateId: string | null, ownDateId: string | null = null) => ({
  id,
  captured: false,
  caption: `words of ${id}`,
  ownDateId,
  dateId,
  attempt: null,
});
const dates = (...given: Parameters<typeof restoreDates>) => {
  const { dateId, photos } = restoreDates(...given);
  return [dateId, ...photos.map(({ ownDateId }) => ownDateId)];
};

describe('the dates of restored photos', () => {
  it('are selected again if none is selected on the page', { tags: ['uploads.choosing.14'] }, () => {
    expect(dates([kept('a', 'arezzo'), kept('b', 'arezzo')], null)).toEqual(['arezzo', null, null]);
    expect(dates([kept('a', null), kept('b', 'beach')], null)).toEqual(['beach', null, null]);
    expect(dates([kept('a', null)], null)).toEqual([null, null]);
  });

  it('stay with the photo if another date is selected on the page, or was selected for the others', () => {
    expect(dates([kept('a', 'arezzo'), kept('b', 'beach')], 'beach')).toEqual(['beach', 'arezzo', null]);
    expect(dates([kept('a', 'arezzo'), kept('b', 'beach')], null)).toEqual(['arezzo', null, 'beach']);
  });

  it('keep a photo’s own date', () => {
    expect(dates([kept('a', 'arezzo', 'lake')], 'beach')).toEqual(['beach', 'lake']);
  });
});
