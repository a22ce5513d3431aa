import { renew } from '../../../auth/web/session/renew.ts';
import { session } from '../../../auth/web/session/session.ts';
import { useAttempts } from '../../../base/web/net/use-attempts.ts';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';

/** Shown when the server cannot be reached and no user is known on this device. It does not sign anyone out. */
export function UnreachablePage() {
  useAttempts('renew', renew);
  const retry = () => {
    session.set({ is: 'starting' });
    void renew();
  };
  return (
    <Page>
      <ErrorCard level={1} onRetry={retry}>
        We could not reach our album. Nothing is lost: please check the connection and try again.
      </ErrorCard>
    </Page>
  );
}
