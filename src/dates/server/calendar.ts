import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { HOUR } from '../../base/time.ts';
import { paths } from '../../paths.ts';
import type { DateWithIdea } from './store.ts';

/** How long a date without a planned end is shown to last; without an end a calendar would show a moment. */
const USUAL_MS = 2 * HOUR;
/** How often a calendar should look again, in seconds. */
const LOOK_AGAIN = 3600;

/**
 * Dates as iCalendar text (RFC 5545). Each keeps its UID for ever, its times are UTC, its sequence grows with each
 * change; a cancelled one stays, marked as such. `origin` is our address, to which each date leads back.
 */
export function calendarOf(dates: readonly DateWithIdea[], origin: string): string {
  const calendar = ical({
    name: 'Our Love Story',
    prodId: { company: 'Our Love Story', product: 'Our Dates', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: LOOK_AGAIN,
  });
  for (const date of dates) {
    const { id, title, location, notes, plannedDateTime, endDateTime, createdAt, updatedAt } = date;
    calendar.createEvent({
      id,
      summary: title,
      location,
      description: notes,
      url: origin + paths.date(id),
      start: new Date(plannedDateTime),
      end: new Date(endDateTime ?? plannedDateTime + USUAL_MS),
      created: new Date(createdAt),
      lastModified: new Date(updatedAt),
      // When it was written, not when it was asked for: the same dates are the same text.
      stamp: new Date(updatedAt),
      sequence: date.version - 1,
      status: date.status === 'Cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  return calendar.toString();
}
