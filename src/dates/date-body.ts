import type { Input } from '../base/call.ts';
import type { dateCalls, PlannedDate } from './contract.ts';
import { optionalTextsOf } from './optional-texts.ts';

/** The request body of a PUT of a date. */
export type UpdateBody = Input<'PUT /api/PlannedDates/{id}', (typeof dateCalls)['PUT /api/PlannedDates/{id}']>['body'];

/**
 * The request body of a PUT that changes nothing. PUT replaces, so whatever changes one field of a date sends the others
 * from here: a new field does not compile until it is listed. `surprise` stays if it is absent.
 */
export function dateBodyOf(
  date: Pick<PlannedDate, Exclude<keyof UpdateBody, 'surprise'>>,
): Required<Omit<UpdateBody, 'surprise'>> {
  const { plannedDateTime, endDateTime } = date;
  return { plannedDateTime, endDateTime, ...optionalTextsOf(date) };
}
