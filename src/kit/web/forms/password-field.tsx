import { useState } from 'react';
import { Button } from './button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A password field with a 'Show' button, because typing unseen on a phone leads to mistakes. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <Button variant="text" aria-pressed={shown} onClick={() => setShown(!shown)}>
          Show
        </Button>
      }
    />
  );
}
