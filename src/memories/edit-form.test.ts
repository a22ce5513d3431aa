import { expect, it } from 'vitest';
import { datesToMoveTo, memoryBody, memoryErrors, memoryFormOf } from './edit-form.ts';

const ZONE = 'Europe/Rome';
const NOW = Date.parse('2026-11-26T12:00:00Z');
const memory = { caption: 'The hole beach', plannedDateId: 'pier', takenAt: '2026-10-25T00:30:40.123Z' };
const form = memoryFormOf(memory, ZONE);

it('the form sends only what is changed', { tags: ['memories.edit.5'] }, () => {
  expect(form).toEqual({ caption: 'The hole beach', plannedDateId: 'pier', takenAt: '2026-10-25T02:30' });
  expect(memoryBody(form, memory, ZONE)).toEqual({});
  expect(memoryBody({ caption: ' ', plannedDateId: 'fair', takenAt: '' }, memory, ZONE)).toEqual({
    caption: null,
    plannedDateId: 'fair',
    takenAt: null,
  });
  expect(memoryBody({ ...form, takenAt: '2019-06-01T12:00' }, memory, ZONE)).toEqual({
    takenAt: '2019-06-01T10:00:00.000Z',
  });
});

it('the form says what is wrong', { tags: ['memories.edit.5'] }, () => {
  expect(memoryErrors(form, memory, NOW, ZONE)).toEqual({});
  expect(memoryErrors({ ...form, takenAt: '' }, memory, NOW, ZONE)).toEqual({});
  expect(memoryErrors({ ...form, caption: 'a'.repeat(501), takenAt: '2026-11-28T12:00' }, memory, NOW, ZONE)).toEqual({
    caption: 'Caption cannot exceed 500 characters',
    takenAt: 'Taken must be from 1826 to tomorrow',
  });
});

it('a memory can be moved to dates that take it, and its own is offered too', { tags: ['memories.edit.5'] }, () => {
  const date = (id: string, status: 'Planned' | 'Completed' | 'Cancelled', surprise: boolean | null = null) => ({
    id,
    status,
    plannedDateTime: `2026-0${id}`,
    surprise: surprise === null ? null : { mine: true, revealed: surprise },
  });
  const dates = [
    date('1', 'Completed'),
    date('2', 'Cancelled'),
    date('3', 'Planned', false),
    date('4', 'Planned', true),
    date('5', 'Cancelled'),
  ];
  expect(datesToMoveTo(dates, '5').map(({ id }) => id)).toEqual(['5', '4', '1']);
});
