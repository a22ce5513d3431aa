import type { ApiError } from '../../../base/web/net/api-error.ts';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { paths } from '../../../paths.ts';
import { useSendsMail } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { Cover } from '../sign-in/cover.tsx';

export interface InvalidLinkProps {
  error: ApiError;
  what: 'invitation' | 'link';
  /** Retries. Given if that may help: the server was unreachable, or there were too many attempts. */
  onRetry?: () => void;
}

/** The screen for a link that doesn't work: it is invalid, used or expired, or could not be checked. */
export function InvalidLink({ error, what, onRetry }: InvalidLinkProps) {
  const isInvalid = error.status === 404;
  const sendsMail = useSendsMail();
  const canBeMailed = isInvalid && what === 'link' && sendsMail;
  return (
    <Cover
      title={isInvalid ? 'This door is closed' : 'One moment'}
      subtitle={isInvalid ? `This ${what} no longer works.` : `We could not check this ${what}.`}
    >
      <h2>{isInvalid ? `Ask for a new ${what}` : 'Oops!'}</h2>
      <p role="alert">
        {isInvalid
          ? `It may have been used already, it may have expired, or part of the address may be missing. Your partner can make a new one in Settings${canBeMailed ? ', or you can have one mailed' : ''}.`
          : refusalText(error)}
      </p>
      {!isInvalid && onRetry && (
        <Button variant="primary" wide onClick={onRetry}>
          Try Again
        </Button>
      )}
      {canBeMailed && (
        <ButtonLink variant="secondary" wide href={paths.forgot}>
          Forgot your password?
        </ButtonLink>
      )}
      <ButtonLink variant={isInvalid ? 'primary' : 'secondary'} wide href={paths.signIn}>
        Sign in
      </ButtonLink>
    </Cover>
  );
}
