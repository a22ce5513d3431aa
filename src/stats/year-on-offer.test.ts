import { expect, test } from 'vitest';
import { yearOnOffer } from './year-on-offer.ts';

test('the year’s story is offered from December 10 until the end of January', { tags: ['home.dashboard.20'] }, () => {
  const days = ['2026-12-09', '2026-12-10', '2026-12-31', '2027-01-01', '2027-01-31', '2027-02-01'];
  expect(days.map(yearOnOffer)).toEqual([null, 2026, 2026, 2026, 2026, null]);
});
