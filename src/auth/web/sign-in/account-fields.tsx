import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { PASSWORD_LENGTH } from '../../rules.ts';
import type { AccountForm } from '../account-form.ts';
import { EmailField } from '../email-field.tsx';

export interface AccountFieldsProps {
  register: UseFormRegister<AccountForm>;
  errors: FieldErrors<AccountForm>;
  /** The account has no password, because the user signs in with an OpenID provider. */
  withoutPassword?: boolean;
}

/** The hint under a new password. */
export const PASSWORD_HINT = `${PASSWORD_LENGTH} A short sentence works well.`;

/** The fields 'Your name', 'Email' and, unless the account has none, 'Password'. */
export function AccountFields({ register, errors, withoutPassword = false }: AccountFieldsProps) {
  return (
    <>
      <TextField
        label="Your name"
        hint="What your partner calls you"
        autoComplete="name"
        error={errors.displayName?.message}
        {...register('displayName')}
      />
      <EmailField error={errors.email?.message} {...register('email')} />
      {!withoutPassword && (
        <PasswordField
          label="Password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password')}
        />
      )}
    </>
  );
}
