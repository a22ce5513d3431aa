import { type FocusEvent, useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

/**
 * A date with its time: one native `datetime-local` (contract 5), whose value, `min` and `max` are wall-clock texts
 * such as '2026-11-22T19:00', without a zone.
 *
 * The limits move on with the clock. Chromium discards a partly typed value when they change, so they stay as they are
 * while somebody types.
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
