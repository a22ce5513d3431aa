import { useMutation } from '@tanstack/react-query';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import { paths } from '../../../paths.ts';
import { authApi } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { MailedLinkPage, WithoutCode } from './mailed-link-page.tsx';
import { useMailedCodeInAddress } from './use-mailed-code-in-address.ts';

/** `/auth/recovery/stop/{stopCode}`: stops the link that the partner made, once 'Stop' is pressed (mail.screens.5). */
export default function StopRecoveryPage() {
  const stopCode = useMailedCodeInAddress(paths.stopRecovery(''));
  const stop = useMutation({
    mutationFn: (code: string) => authApi('DELETE /api/auth/recovery/{stopCode}', { params: { stopCode: code } }),
    // Then the button is gone.
    onSuccess: focusMain,
    onError: (error) => asApiError(error).status === 404 && focusMain(),
  });
  const refusal = stop.error && asApiError(stop.error);
  if (stopCode === null) return <WithoutCode />;
  if (stop.isSuccess) {
    return (
      <MailedLinkPage heading="The link is stopped">
        <p>Nobody can set a new password for you with it any more. Your password stays as it is.</p>
      </MailedLinkPage>
    );
  }
  if (refusal?.status === 404) {
    return (
      <MailedLinkPage heading="There is nothing to stop">
        <p>
          The link for a new password was stopped or used already, or it has expired. If your password no longer works,
          press ‘Forgot your password?’ on the sign-in page.
        </p>
      </MailedLinkPage>
    );
  }
  return (
    <MailedLinkPage
      heading="A link for a new password"
      action={
        <>
          <Banner onDismiss={stop.reset}>{refusal && refusalText(refusal)}</Banner>
          <Button variant="primary" wide busy={stop.isPending} onClick={() => stop.mutate(stopCode)}>
            Stop
          </Button>
        </>
      }
    >
      <p>
        Your partner made it for you. The one who opens it can sign in as you, and read what you keep sealed. If you did
        not ask for it, stop it.
      </p>
    </MailedLinkPage>
  );
}
