import { TextField, type TextFieldProps } from './text-field.tsx';

/**
 * A date with its time: one native `datetime-local` (contract 5), whose value, `min` and `max` are wall-clock texts
 * such as '2026-11-22T19:00', without a zone.
 */
export function DateTimeField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  return <TextField {...props} type="datetime-local" />;
}
