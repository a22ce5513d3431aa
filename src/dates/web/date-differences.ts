import type { StaleEditProps } from '../../kit/web/forms/stale-edit.tsx';
import type { PlannedDate } from '../contract.ts';
import { dayAndTime } from './date-ticket.tsx';

/** The partner's version of a date, field by field, and what has changed since the form was opened. */
export function dateDifferences(theirs: PlannedDate, base: PlannedDate, zone: string): StaleEditProps['theirs'] {
  const changed = (field: 'plannedDateTime' | 'endDateTime' | 'location' | 'notes') => theirs[field] !== base[field];
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
    { label: 'Location', value: theirs.location, changed: changed('location') },
    { label: 'Notes', value: theirs.notes, changed: changed('notes') },
  ];
}
