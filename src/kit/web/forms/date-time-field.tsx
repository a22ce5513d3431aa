import { type FocusEvent, useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

/**
 * A native `datetime-local` field. Its value, `min` and `max` are local date-times without a zone, such as
 * '2026-11-22T19:00'.
 *
 * The limits change with the clock. Chromium discards a partly typed value when they change, so they are frozen while
 * the field has the focus.
 */
export function DateTimeField({ min, max, onBlur, ...props }: Omit<TextFieldProps, 'type' | 'end' | 'onFocus'>) {
  const [held, setHeld] = useState<Pick<TextFieldProps, 'min' | 'max'> | null>(null);
  const release = (event: FocusEvent<HTMLInputElement>) => {
    if (!event.currentTarget.validity.badInput) setHeld(null);
    return onBlur?.(event);
  };
  return (
    <TextField
      {...props}
      {...(held ?? { min, max })}
      type="datetime-local"
      onFocus={() => setHeld(held ?? { min, max })}
      onBlur={release}
    />
  );
}
