import { DAY } from '../base/durations.ts';

/** The stored statuses, in the order of a date's life. */
export const STATUSES = [
  { value: 'Planned', name: 'Planned', displayName: 'Planned' },
  { value: 'InProgress', name: 'InProgress', displayName: 'In Progress' },
  { value: 'Completed', name: 'Completed', displayName: 'Completed' },
  { value: 'Cancelled', name: 'Cancelled', displayName: 'Cancelled' },
] as const;

export type DateStatus = (typeof STATUSES)[number]['value'];

/**
 * The actions on a planned date. 'went' is 'We went!', which completes an overdue date in one step, and 'correct' says
 * what really happened.
 */
export type DateAction =
  | 'start'
  | 'went'
  | 'undoWent'
  | 'complete'
  | 'correct'
  | 'cancel'
  | 'edit'
  | 'delete'
  | 'addMemories';

/**
 * The actions that each stored status allows (dates.wire.2), for the server's calls and the page's buttons. Memories may be
 * added to all but cancelled dates; `shown-actions.ts` decides which screens offer it.
 */
const ALLOWED: Readonly<Record<DateStatus, readonly DateAction[]>> = {
  Planned: ['start', 'went', 'cancel', 'edit', 'delete', 'addMemories'],
  InProgress: ['complete', 'edit', 'delete', 'addMemories'],
  Completed: ['undoWent', 'correct', 'delete', 'addMemories'],
  Cancelled: ['edit', 'delete'],
};

/** Whether a status allows an action. If not, the call replies 409. */
export function isAllowed(status: DateStatus, action: DateAction): boolean {
  return ALLOWED[status].includes(action);
}

/** The message shown when an action is refused. */
export const REFUSED: Readonly<Record<DateAction, string>> = {
  start: 'Only a planned date can be started.',
  went: 'Only a planned date can be completed with ‘We went!’.',
  undoWent: 'Only ‘We went!’ can be undone, and this date was not completed with it.',
  complete: 'This date is not currently in progress and cannot be completed.',
  correct: 'Only a completed date can be corrected.',
  cancel: 'Only a planned date can be cancelled.',
  edit: 'Cannot edit a completed date',
  delete: 'This date cannot be deleted.',
  addMemories: 'This date was cancelled. No memories can be added to it.',
};

/** How far an end time may be ahead of the server's clock, because clocks differ. */
export const END_AHEAD_MS = 5 * 60_000;

/** The error messages for times, used by server and page. */
export const TIME_ERRORS = {
  endBeforeStart: 'End time must be after start time',
  endAhead: 'End time cannot be in the future',
  tooEarly: 'Date and time cannot be before the year 2000',
  tooLate: 'Date and time cannot be more than two years ahead',
  startTooEarly: 'Start time cannot be before the year 2000',
  pastTooEarly: 'Start time cannot be before the year 1900',
} as const;

/** The earliest allowed time of a date. */
export const EARLIEST = Date.UTC(2000, 0, 1);

/** The error message for a planned time. It must be between the year 2000 and two years ahead, plus one day (dates.wire.1). */
export function plannedTimeError(planned: number, now: number): string | undefined {
  if (planned < EARLIEST) return TIME_ERRORS.tooEarly;
  // Two years and a day have at least 731 days. Only beyond them is the exact limit needed, which costs more.
  if (planned <= now + 731 * DAY) return undefined;
  const latest = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').add({ years: 2, days: 1 });
  return planned > latest.epochMilliseconds ? TIME_ERRORS.tooLate : undefined;
}
