import { expect, it } from 'vitest';
import { type DateNotice, parseNotice, toNotification } from './push-notice.ts';

const notice: DateNotice = {
  kind: 'tomorrow',
  dateId: 'd1',
  title: 'The slow lunch',
  plannedDateTime: '2026-11-22T12:30:00.000Z',
  location: 'By the sea',
  inProgress: false,
  added: null,
};

it("a notification names the date by the device's clock, and links to it", { tags: ['reminders.8'] }, () => {
  expect(toNotification(notice, 'Europe/Rome')).toEqual({
    title: 'Tomorrow: The slow lunch',
    body: 'Sunday, November 22, 2026, 1:30 PM · By the sea',
    tag: 'tomorrow d1',
    path: '/planned-dates/d1',
  });
  expect(toNotification({ ...notice, kind: 'starting', location: null }, 'UTC')).toMatchObject({
    title: 'Soon: The slow lunch',
    body: '12:30 PM',
    path: '/planned-dates/d1',
  });
});

it("a notification asks 'How was it?' and opens the form to complete the date", () => {
  expect(toNotification({ ...notice, kind: 'howWasIt' }, 'UTC')).toMatchObject({
    title: 'How was it?',
    body: 'The slow lunch: let’s write it down while it’s fresh.',
    path: '/planned-dates/d1',
  });
  expect(toNotification({ ...notice, kind: 'howWasIt', inProgress: true }, 'UTC').path).toBe(
    '/planned-dates/d1/complete',
  );
});

it('a notification says who added how many photographs', () => {
  const added = (count: number) =>
    toNotification({ ...notice, kind: 'photographs', added: { by: 'Ben', count } }, 'UTC');
  expect(added(1).title).toBe('Ben added 1 photograph');
  expect(added(12)).toMatchObject({ title: 'Ben added 12 photographs', body: 'The slow lunch' });
  expect(added(12).path).toBe('/memories?dateId=d1');
});

it('a notification says that both wrote about a date, and opens it', { tags: ['notes.6'] }, () => {
  expect(toNotification({ ...notice, kind: 'notes' }, 'UTC')).toEqual({
    title: 'You both wrote about The slow lunch',
    body: 'Both notes are open now.',
    tag: 'notes d1',
    path: '/planned-dates/d1#remember',
  });
});

it('parseNotice reads only notices of this app', () => {
  expect(parseNotice(notice)).toEqual(notice);
  for (const other of [null, 'text', {}, { kind: 'tomorrow' }]) expect(parseNotice(other)).toBeNull();
});

it('a notification has its date and time as the user reads them', { tags: ['screens.words.5'] }, () => {
  const { body } = toNotification({ ...notice, formats: 'international' }, 'Europe/Rome');
  expect(body).toBe('Sunday, 22 November 2026, 13:30 · By the sea');
});
