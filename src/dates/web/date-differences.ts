import type { Difference } from '../../kit/web/forms/stale-edit.tsx';
import type { PlannedDate } from '../contract.ts';
import { OPTIONAL_TEXTS, type OptionalTextName, optionalTextNames } from '../optional-texts.ts';
import { dayAndTime } from '../time-texts.ts';

/** The partner's version of a date, field by field, and what has changed since the form was opened. */
export function dateDifferences(theirs: PlannedDate, base: PlannedDate, zone: string): readonly Difference[] {
  const changed = (field: 'plannedDateTime' | 'endDateTime' | OptionalTextName) => theirs[field] !== base[field];
  return [
    {
      label: 'Date and time',
      value: dayAndTime(theirs.plannedDateTime, zone),
      changed: changed('plannedDateTime'),
    },
    {
      label: 'End time',
      value: theirs.endDateTime && dayAndTime(theirs.endDateTime, zone),
      changed: changed('endDateTime'),
    },
    ...optionalTextNames.map((name) => ({
      label: OPTIONAL_TEXTS[name].label,
      value: theirs[name],
      changed: changed(name),
    })),
  ];
}
