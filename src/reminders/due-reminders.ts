import { addDays, startOfDay } from '../base/calendar-days.ts';
import { DAY, HOUR } from '../base/durations.ts';
import { dayOf } from '../base/instants.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';
import type { ReminderKind } from './rules.ts';

/** The fields of a date that decide its reminders; times in milliseconds. */
export interface Remindable {
  readonly status: string;
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
  readonly actualStartTime: number | null;
}

/** When to remind of tomorrow's date, by the couple's clock. */
const EVENING = '18:00';
/** 'How was it?' waits from ten at night until nine in the morning. */
const QUIET_FROM = 22;
const QUIET_UNTIL = 9;
const SOON_MS = HOUR;
/** Assumed duration of a date without a planned end. */
const DEFAULT_DURATION_MS = 2 * HOUR;
/** How long after the end to ask how it was. */
const AFTER_MS = HOUR;
/** How late 'How was it?' may be, if the server was down. */
const MAX_DELAY_MS = 2 * DAY;

/** At most how long a night delays 'How was it?', with an hour that a clock is set back. */
const NIGHT_MS = 12 * HOUR;

/** The statuses of dates that have reminders. */
export const REMINDED_STATUSES = ['Planned', 'InProgress'] as const;

/**
 * Dates planned farther from `now` than this have no reminder due, nor have those that are over for longer than `afterEnd`:
 * the end is the planned one, or else the start.
 */
export const HORIZON = {
  before: 21 * DAY,
  ahead: 32 * HOUR,
  afterEnd: DEFAULT_DURATION_MS + AFTER_MS + NIGHT_MS + MAX_DELAY_MS,
} as const;

/** Returns the reminders of a date that are due at `now`, and until when each is useful (milliseconds). */
export function dueReminders(date: Remindable, now: number, zone: string): { kind: ReminderKind; until: number }[] {
  return spansAround(date, now, zone).filter(({ from, until }) => from <= now && now < until);
}

/** The spans in which the reminders of a date are due, of those that may be due now. Only these need the time zone. */
function spansAround(
  date: Remindable,
  now: number,
  zone: string,
): { kind: ReminderKind; from: number; until: number }[] {
  const { status, plannedDateTime } = date;
  if (status === 'Planned' && now < plannedDateTime) {
    return [
      { kind: 'tomorrow', ...eveningBefore(date, zone) },
      { kind: 'starting', from: plannedDateTime - SOON_MS, until: plannedDateTime },
    ];
  }
  const isReminded = REMINDED_STATUSES.some((reminded) => reminded === status);
  const end = endOf(date);
  if (!isReminded || now < end + AFTER_MS || now >= end + AFTER_MS + NIGHT_MS + MAX_DELAY_MS) return [];
  return [{ kind: 'howWasIt', ...dayAfter(end, zone) }];
}

function eveningBefore({ plannedDateTime }: Remindable, zone: string) {
  const day = dayOf(plannedDateTime, zone);
  const until = startOfDay(day, zone);
  return { from: fromLocalInput(`${addDays(day, -1)}T${EVENING}`, zone) ?? until, until };
}

function endOf({ plannedDateTime, endDateTime, actualStartTime }: Remindable): number {
  return endDateTime ?? (actualStartTime ?? plannedDateTime) + DEFAULT_DURATION_MS;
}

function dayAfter(end: number, zone: string) {
  const from = skipNight(end + AFTER_MS, zone);
  return { from, until: from + MAX_DELAY_MS };
}

/** Moves a time in the night to the next morning. */
function skipNight(ms: number, zone: string): number {
  const hour = Number(toLocalInput(ms, zone).slice(11, 13));
  if (hour >= QUIET_UNTIL && hour < QUIET_FROM) return ms;
  const day = dayOf(ms, zone);
  const morning = hour < QUIET_UNTIL ? day : addDays(day, 1);
  return fromLocalInput(`${morning}T0${QUIET_UNTIL}:00`, zone) ?? ms;
}
