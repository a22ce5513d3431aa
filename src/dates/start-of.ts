/**
 * When a date begins or began, in milliseconds: its actual start, or else the planned one.
 * @param date with instants as text, or in milliseconds
 */
export function startOf<Instant extends string | number>(date: {
  readonly actualStartTime: Instant | null;
  readonly plannedDateTime: Instant;
}): number {
  return new Date(date.actualStartTime ?? date.plannedDateTime).getTime();
}
