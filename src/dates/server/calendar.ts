import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { HOUR } from '../../base/durations.ts';
import { paths } from '../../paths.ts';
import type { VisibleDate } from '../date-visible-to.ts';

/** The displayed duration of a date without a planned end. Otherwise a calendar would show a zero-length entry. */
const DEFAULT_DURATION_MS = 2 * HOUR;
/** How often a calendar should refresh, in seconds. */
const REFRESH_SECONDS = 3600;

/**
 * Formats dates as iCalendar text (RFC 5545). A date keeps its UID, its times are in UTC, and its sequence grows with
 * each change. A cancelled date stays, marked as cancelled. `origin` is our address, for the links to the dates.
 */
export function calendarOf(dates: readonly VisibleDate[], origin: string): string {
  const calendar = ical({
    name: 'Our Love Story',
    prodId: { company: 'Our Love Story', product: 'Our Dates', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
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
      end: new Date(endDateTime ?? plannedDateTime + DEFAULT_DURATION_MS),
      created: new Date(createdAt),
      lastModified: new Date(updatedAt),
      // The time of the change, not of the request, so that the same dates give the same text.
      stamp: new Date(updatedAt),
      sequence: date.version - 1,
      status: date.status === 'Cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  return calendar.toString();
}
