import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Router } from 'wouter';
import { UnsentShotsProvider } from '../../../auth/web/session/unsent-shots-counter.ts';
import { useSession } from '../../../auth/web/session/use-session.ts';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { ConfirmProvider } from '../../../kit/web/feedback/confirm.tsx';
import { NotifyProvider } from '../../../kit/web/feedback/notices.tsx';
import { countUnsentShots } from '../../../uploads/web/queue/count-unsent-shots.ts';
import { queryClient } from '../queries/query-client.ts';
import { changeScreenOnceLoaded } from '../routing/change-screen-once-loaded.ts';
import { CurrentScreen } from './current-screen.tsx';
import { IdlePageNotices } from './idle-parts.tsx';
import { LoadingPage } from './loading-page.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';
import { SignedInFrame } from './signed-in-frame.tsx';
import { UnreachablePage } from './unreachable-page.tsx';

/** Few ever see it, so it is not part of the first page. */
const SuspendedPage = loadOnDemand(
  async () => (await import('../../../auth/web/session/suspended-page.tsx')).SuspendedPage,
);

/** The whole app: the providers, the navigation, and the screen at the current address. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={changeScreenOnceLoaded}>
        <ConfirmProvider>
          <NotifyProvider>
            <IdlePageNotices />
            <ScreenErrorBoundary>
              <SessionGate />
            </ScreenErrorBoundary>
          </NotifyProvider>
        </ConfirmProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** Renders according to the session's state. Redirects only once that is known. */
function SessionGate() {
  const session = useSession();
  if (session.is === 'starting') {
    return (
      <>
        <header className="opening">Our Love Story</header>
        <LoadingPage />
      </>
    );
  }
  if (session.is === 'ended') return null;
  if (session.is === 'unreachable') return <UnreachablePage />;
  if (session.is === 'suspended') {
    return (
      <Suspense fallback={<LoadingPage />}>
        <SuspendedPage />
      </Suspense>
    );
  }
  return (
    <UnsentShotsProvider value={countUnsentShots}>
      {session.is === 'in' && <SignedInFrame />}
      <CurrentScreen signedIn={session.is === 'in'} />
    </UnsentShotsProvider>
  );
}
