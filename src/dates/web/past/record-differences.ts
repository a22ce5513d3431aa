import type { Difference } from '../../../kit/web/forms/stale-edit.tsx';
import type { PlannedDate } from '../../contract.ts';
import { OPTIONAL_TEXTS, type OptionalTextName, optionalTextNames } from '../../optional-texts.ts';
import { dayAndTime } from '../../time-texts.ts';

/** The partner's record of a date, field by field, and what has changed since the form was opened. */
export function recordDifferences(theirs: PlannedDate, base: PlannedDate, zone: string): readonly Difference[] {
  const row = (label: string, field: 'actualStartTime' | 'actualEndTime' | OptionalTextName) => {
    const isTime = field === 'actualStartTime' || field === 'actualEndTime';
    const value = theirs[field];
    return { label, value: isTime && value ? dayAndTime(value, zone) : value, changed: value !== base[field] };
  };
  return [
    row('Started', 'actualStartTime'),
    row('Ended', 'actualEndTime'),
    ...optionalTextNames.map((name) => row(OPTIONAL_TEXTS[name].label, name)),
  ];
}
