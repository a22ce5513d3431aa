import { MINUTE } from '../../src/base/durations.ts';

/** When a date for tests of its running time has started, in milliseconds. */
const START = Date.parse('2026-11-14T18:15:00Z');

/** The times of a date that started a quarter of an hour late. @param planned its planned minutes after the start */
export function runningDate(planned: number | null = 130) {
  return {
    plannedDateTime: '2026-11-14T18:00:00.000Z',
    actualStartTime: new Date(START).toISOString(),
    endDateTime: planned === null ? null : new Date(START + planned * MINUTE).toISOString(),
  };
}

/** The time so many minutes after the start. */
export function minutesIn(minutes: number): number {
  return START + minutes * MINUTE;
}
