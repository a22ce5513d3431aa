import { useMutation } from '@tanstack/react-query';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { authApi, useSendsMail } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import css from './mail.module.css';

/** Whether the user has confirmed their e-mail. If not, the link can be sent again (mail.screens.7). */
export function EmailStatus() {
  const { email, emailVerified } = useUser();
  if (!useSendsMail()) return null;
  if (!emailVerified) return <Unconfirmed key={email} email={email} />;
  return (
    <p className="aside">
      <bdi>{email}</bdi> is confirmed. If you forget your password, we can mail you a link for a new one.
    </p>
  );
}

function Unconfirmed({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: async () => {
      try {
        return await authApi('POST /api/auth/email-mail');
      } catch (error) {
        // It was confirmed on another device.
        if (asApiError(error).status === 409) setUser((await authApi('GET /api/auth/session')).user);
        throw error;
      }
    },
  });
  return (
    <>
      <p>
        <b>Your email is not confirmed yet.</b> Please open the link that we mailed to <bdi>{email}</bdi>. Until then,
        we can’t mail you a link for a new password.
      </p>
      <Banner onDismiss={send.reset}>{send.error && refusalText(asApiError(send.error))}</Banner>
      <div>
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          Send the link again
        </Button>
        <p role="status" className={`${css.said} aside`}>
          {send.isSuccess && 'A new link is on its way. It works once, for 24 hours.'}
        </p>
      </div>
    </>
  );
}
