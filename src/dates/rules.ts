/** The limits of a planned date, in code points (spec 5 and 9): those of planning, of editing, of completing. */
export const dateLimits = {
  planLocation: 200,
  planNotes: 500,
  location: 300,
  notes: 1000,
} as const;

/** The stored statuses in the spec's order. */
export const STATUSES = [
  { value: 'Planned', name: 'Planned', displayName: 'Planned' },
  { value: 'InProgress', name: 'InProgress', displayName: 'In Progress' },
  { value: 'Completed', name: 'Completed', displayName: 'Completed' },
  { value: 'Cancelled', name: 'Cancelled', displayName: 'Cancelled' },
] as const;

export type DateStatus = (typeof STATUSES)[number]['value'];

/** What can be done to a planned date. */
export type DateAction = 'start' | 'complete' | 'cancel' | 'edit' | 'delete' | 'addMemories';

/**
 * What each stored status allows (contract 3): the one table that the server's calls and the page's buttons read.
 * Memories may be added to all but a cancelled date (contract 1, 409); which screens offer it is spec 4's matter.
 */
const ALLOWED: Readonly<Record<DateStatus, readonly DateAction[]>> = {
  Planned: ['start', 'cancel', 'edit', 'delete', 'addMemories'],
  InProgress: ['complete', 'edit', 'delete', 'addMemories'],
  Completed: ['delete', 'addMemories'],
  Cancelled: ['edit', 'delete'],
};

/** Whether a date of a stored status may be acted on so; what is not allowed answers 409. */
export function allows(status: DateStatus, action: DateAction): boolean {
  return ALLOWED[status].includes(action);
}

/** Why an action is refused, in a sentence that a person can read. */
export const REFUSED: Readonly<Record<DateAction, string>> = {
  start: 'Only a planned date can be started.',
  complete: 'This date is not currently in progress and cannot be completed.',
  cancel: 'Only a planned date can be cancelled.',
  edit: 'Cannot edit a completed date',
  delete: 'This date cannot be deleted.',
  addMemories: 'No memories can be added to a cancelled date.',
};

/** How far ahead of the server's clock a date may have ended, for clocks differ (contract 3). */
export const END_AHEAD_MS = 5 * 60_000;

/** What is said of times that break a rule, by both sides. */
export const TIME_ERRORS = {
  endBeforeStart: 'End time must be after start time',
  endAhead: 'End time cannot be in the future',
  tooEarly: 'Date and time cannot be before the year 2000',
  tooLate: 'Date and time cannot be more than two years ahead',
  startTooEarly: 'Start time cannot be before the year 2000',
} as const;

/** The first instant at which a date may have been. */
export const EARLIEST = Date.UTC(2000, 0, 1);

/** What is wrong with a planned time: it lies from the year 2000 to two years ahead, a day of grace (contract 3). */
export function plannedTimeError(planned: number, now: number): string | undefined {
  if (planned < EARLIEST) return TIME_ERRORS.tooEarly;
  const latest = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').add({ years: 2, days: 1 });
  return planned > latest.epochMilliseconds ? TIME_ERRORS.tooLate : undefined;
}
