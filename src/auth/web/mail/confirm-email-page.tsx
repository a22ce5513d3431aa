import { useQuery } from '@tanstack/react-query';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import { paths } from '../../../paths.ts';
import { authApi, sessionKeys } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { MailedLinkPage, WithoutCode } from './mailed-link-page.tsx';
import { useMailedCodeInAddress } from './use-mailed-code-in-address.ts';

/**
 * `/auth/email/{code}`: confirms an e-mail. Opening it is enough: a person who can open the link reads the mails to that
 * address. A mail scanner that runs scripts proves the same, but may use the code up before the user comes, so the page
 * raises no alarm about a used code (mail.screens.4).
 */
export default function ConfirmEmailPage() {
  const code = useMailedCodeInAddress(paths.confirmEmail(''));
  return code === null ? <WithoutCode /> : <Confirmation code={code} />;
}

function Confirmation({ code }: { code: string }) {
  // A query, so that the code is sent once, however often this is rendered. What changes in the couple does not repeat it.
  const { error, isFetching, refetch } = useQuery({
    queryKey: sessionKeys.confirmedEmail(code),
    queryFn: () => authApi('POST /api/auth/email/{code}', { params: { code } }),
    staleTime: 'static',
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const tryAgain = () => {
    focusMain();
    void refetch();
  };
  if (isFetching) {
    return <MailedLinkPage heading="Your email" action={<Loading message="Confirming your email..." size="small" />} />;
  }
  if (error === null) {
    return (
      <MailedLinkPage heading="Your email is confirmed">
        <p>If you ever forget your password, we can mail you a link for a new one.</p>
      </MailedLinkPage>
    );
  }
  const refusal = asApiError(error);
  if (refusal.status === 404) {
    return (
      <MailedLinkPage heading="This link no longer works">
        <p>
          If it was used already, your email is confirmed. If it has expired, you can have a new one sent in Settings.
        </p>
      </MailedLinkPage>
    );
  }
  return (
    <MailedLinkPage
      heading="Oops!"
      action={
        <>
          <p role="alert">{refusalText(refusal)}</p>
          <Button variant="primary" wide onClick={tryAgain}>
            Try Again
          </Button>
        </>
      }
    />
  );
}
