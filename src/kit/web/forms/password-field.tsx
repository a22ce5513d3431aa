import { useState } from 'react';
import { Button } from './button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A password field with a 'Show' button, because typing unseen on a phone leads to mistakes. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <Button variant="text" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show
        </Button>
      }
    />
  );
}
