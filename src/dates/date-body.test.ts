import { expect, it } from 'vitest';
import { dateBodyOf } from './date-body.ts';
import { NO_TEXTS } from './optional-texts.ts';

it('a date is sent whole where one field of it changes', { tags: ['dates.edit.1'] }, () => {
  const body = {
    plannedDateTime: '2026-10-25T01:30:12.345Z',
    endDateTime: '2026-10-25T04:00:30.000Z',
    ...NO_TEXTS,
    notes: 'Bring a coat',
  };
  expect(dateBodyOf(body)).toEqual(body);
});
