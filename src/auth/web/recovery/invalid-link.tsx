import type { ApiError } from '../../../base/web/api.ts';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { paths } from '../../../paths.ts';
import { refusalText } from '../account-form.ts';
import { Cover } from '../sign-in/cover.tsx';

export interface SpentCodeProps {
  error: ApiError;
  what: 'invitation' | 'link';
  /** Where asking again may help: it could not be reached, or there were too many tries. */
  onRetry?: () => void;
}

/** A link that opens nothing: wrong, used or expired, or not to be asked for at this moment. */
export function SpentCode({ error, what, onRetry }: SpentCodeProps) {
  const spent = error.status === 404;
  return (
    <Cover
      title={spent ? 'A door that is closed' : 'One moment'}
      words={spent ? `This ${what} does not open anything any more.` : `We could not look at this ${what}.`}
    >
      <h2>{spent ? `Ask for a new ${what}` : 'Oops!'}</h2>
      <p role="alert">
        {spent
          ? `It may have been used already, it may be too old, or a letter of it may be missing. Your partner makes a new one in Settings.`
          : refusalText(error)}
      </p>
      {!spent && onRetry && (
        <Button variant="primary" wide onClick={onRetry}>
          Try Again
        </Button>
      )}
      <ButtonLink variant={spent ? 'primary' : 'secondary'} wide href={paths.signIn}>
        Sign in
      </ButtonLink>
    </Cover>
  );
}
