import { TextField, type TextFieldProps } from '../../kit/web/forms/text-field.tsx';

/** A field for an e-mail address, by default the one with which the user signs in. */
export function EmailField(props: Partial<TextFieldProps>) {
  return (
    <TextField
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
