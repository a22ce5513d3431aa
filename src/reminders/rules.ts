import { addDays, fromLocalInput, startOfDay, toLocalInput } from '../base/calendar.ts';
import { DAY, dayOf, HOUR } from '../base/time.ts';

/** What one may be reminded of (issue 5), each with what its switch is called. */
export const REMINDERS = [
  { kind: 'tomorrow', label: 'The evening before a date' },
  { kind: 'starting', label: 'When a date is about to start' },
  { kind: 'howWasIt', label: '‘How was it?’ after a date that was not completed' },
  { kind: 'photographs', label: 'When your partner added photographs' },
] as const;

export type ReminderKind = (typeof REMINDERS)[number]['kind'];
/** Which of them somebody wants; all, to begin with. */
export type ReminderChoices = Readonly<Record<ReminderKind, boolean>>;

export const ALL_REMINDERS: ReminderChoices = { tomorrow: true, starting: true, howWasIt: true, photographs: true };

/** A date as far as it is reminded of; times in milliseconds. */
export interface Remindable {
  readonly status: string;
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
  readonly actualStartTime: number | null;
}

/** When tomorrow's date is spoken of, by the couple's clock. */
const EVENING = '18:00';
/** Nobody is asked how it was between ten at night and nine in the morning. */
const QUIET_FROM = 22;
const QUIET_UNTIL = 9;
const SOON_MS = HOUR;
/** How long a date without a planned end is taken to last. */
const DEFAULT_DURATION_MS = 2 * HOUR;
const AFTER_MS = HOUR;
/** What could not be said in time (the server was away) is said so much later at most. */
const MAX_DELAY_MS = 2 * DAY;

/** The farthest from `now` that a date may be planned and still have something due. */
export const HORIZON = { before: 21 * DAY, ahead: 2 * DAY } as const;

/** What is due of a date at `now`, in the couple's zone, and until when it is of use (milliseconds). */
export function dueReminders(date: Remindable, now: number, zone: string): { kind: ReminderKind; until: number }[] {
  const spans = [
    { kind: 'tomorrow' as const, ...eveningBefore(date, zone) },
    { kind: 'starting' as const, from: date.plannedDateTime - SOON_MS, until: date.plannedDateTime },
    { kind: 'howWasIt' as const, ...dayAfter(date, zone) },
  ];
  return spans.filter(({ kind, from, until }) => appliesTo(kind, date) && from <= now && now < until);
}

/** Whether a date as it is now may still be reminded of so: it may have been cancelled, started or completed. */
function appliesTo(kind: ReminderKind, { status }: Pick<Remindable, 'status'>): boolean {
  return status === 'Planned' || (kind === 'howWasIt' && status === 'InProgress');
}

function eveningBefore({ plannedDateTime }: Remindable, zone: string) {
  const day = dayOf(plannedDateTime, zone);
  const until = startOfDay(day, zone);
  return { from: fromLocalInput(`${addDays(day, -1)}T${EVENING}`, zone) ?? until, until };
}

function dayAfter({ plannedDateTime, endDateTime, actualStartTime }: Remindable, zone: string) {
  const end = endDateTime ?? (actualStartTime ?? plannedDateTime) + DEFAULT_DURATION_MS;
  const from = skipNight(end + AFTER_MS, zone);
  return { from, until: from + MAX_DELAY_MS };
}

/** The same moment, or the next morning's where it falls into the night. */
function skipNight(ms: number, zone: string): number {
  const hour = Number(toLocalInput(ms, zone).slice(11, 13));
  if (hour >= QUIET_UNTIL && hour < QUIET_FROM) return ms;
  const day = dayOf(ms, zone);
  const morning = hour < QUIET_UNTIL ? day : addDays(day, 1);
  return fromLocalInput(`${morning}T0${QUIET_UNTIL}:00`, zone) ?? ms;
}

/** Photographs are told of together: once no more have come for a while, or the first has waited long enough. */
export function isBatchComplete(added: { readonly firstAt: number; readonly lastAt: number }, now: number): boolean {
  return now - added.lastAt >= 3 * 60_000 || now - added.firstAt >= 20 * 60_000;
}
