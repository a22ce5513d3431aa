import { QueryClientProvider } from '@tanstack/react-query';
import {
  type ComponentType,
  createElement,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Route, Router } from 'wouter';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { hideEndedPage } from '../../../auth/web/session/hide-ended-page.ts';
import { renew } from '../../../auth/web/session/session.ts';
import { useSession, useUser } from '../../../auth/web/session/use-session.ts';
import { onDemand, scheduleRetry } from '../../../base/web/net/on-demand.tsx';
import { recall, remember } from '../../../base/web/storage/device-store.ts';
import { keepLastUser } from '../../../base/web/storage/last-seen.ts';
import { ConfirmProvider } from '../../../kit/web/feedback/confirm.tsx';
import { ErrorCard } from '../../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { NotifyProvider } from '../../../kit/web/feedback/notices.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { queryClient } from '../queries/query-client.ts';
import { changePage } from '../routing/change-page.ts';
import { redirectFor } from '../routing/redirects.ts';
import { screenAt, titleOf } from '../routing/routes.tsx';
import { useArrival } from '../routing/use-arrival.ts';
import { delay, whenIdle } from '../start/timing.ts';
import { ScreenErrorBoundary } from './error-boundaries.tsx';
import type * as later from './later.ts';
import { Navigation } from './navigation.tsx';

/** The longest time that optional parts wait for the page to be idle. */
const IDLE_TIMEOUT_MS = 3000;
/** The interval between the loads of optional parts, so that none delays an interaction. */
const STAGGER_MS = 50;
const isBusy = () => queryClient.isFetching() > 0 || document.querySelector('main[aria-busy]') !== null;
let started = 0;
async function whenIdleInTurn(): Promise<void> {
  started += 1;
  const turn = started;
  await whenIdle(isBusy, IDLE_TIMEOUT_MS);
  await delay(turn * STAGGER_MS);
}

/** Returns a part of `later.ts`, which loads once the page is idle. */
function whenPageIsIdle<P extends object>(choose: (parts: typeof later) => ComponentType<P>): ComponentType<P> {
  return onDemand(async () => {
    await whenIdleInTurn();
    return choose(await import('./later.ts'));
  });
}

const FloatingHearts = whenPageIsIdle((parts) => parts.FloatingHearts);
const PageNotices = whenPageIsIdle((parts) => parts.PageNotices);
const SignedInNotices = whenPageIsIdle((parts) => parts.SignedInNotices);

/** The whole app: the providers, the navigation, and the screen at the current address. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={changePage}>
        <ConfirmProvider>
          <NotifyProvider>
            <PageNotices />
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
  if (session.is === 'unreachable') return <Unreachable />;
  return (
    <>
      {session.is === 'in' && <SignedInFrame offline={session.offline} />}
      <CurrentScreen signedIn={session.is === 'in'} />
    </>
  );
}

/** The frame around the screens of a signed-in user: navigation, live changes, connection status. */
function SignedInFrame({ offline }: { offline: boolean }) {
  const user = useUser();
  const [chosen, setChosen] = useState<boolean>();
  const still = chosen ?? recall('hearts') === 'still';
  useLiveChanges(offline);
  useEffect(hideEndedPage, []);
  useEffect(() => {
    if (!offline) void keepLastUser(user);
  }, [user, offline]);
  const toggle = () => {
    remember('hearts', still ? null : 'still');
    setChosen(!still);
  };
  return (
    <>
      <FloatingHearts paused={still} />
      <Navigation user={user} heartsStill={still} onHearts={toggle} />
      <SignedInNotices user={user} unreachable={offline} />
    </>
  );
}

/** Refetches what either partner changes, while the server can be reached. */
function useLiveChanges(offline: boolean): void {
  const hasMissedChanges = useRef(false);
  useEffect(() => {
    if (offline) {
      hasMissedChanges.current = true;
      return undefined;
    }
    let stop: (() => void) | undefined;
    let stopped = false;
    const follow = () => {
      // Loaded on demand: the first page does not wait for it.
      import('./follow-changes.ts').then(
        ({ followChanges }) => {
          if (!stopped) stop = followChanges(queryClient, hasMissedChanges.current);
        },
        () => {
          hasMissedChanges.current = true;
          if (!stopped) stop = scheduleRetry(follow);
        },
      );
    };
    follow();
    return () => {
      stopped = true;
      stop?.();
    };
  }, [offline]);
}

/** The screen at the current address, or a redirect. */
function CurrentScreen({ signedIn }: { signedIn: boolean }) {
  const pathname = usePathname();
  const search = useSearch();
  const screen = screenAt(pathname);
  const redirect = redirectFor(signedIn, { pathname, search, hash: location.hash }, screen !== undefined);
  useLayoutEffect(() => {
    if (redirect !== null) navigate(redirect, { replace: true });
  }, [redirect]);
  // Loaded code is rendered at once: even for a settled promise, `use` first suspends, which would show as a flash.
  const page = useMemo(() => screenAt(pathname)?.page ?? screenAt(pathname)?.load(), [pathname]);
  useArrival(redirect === null ? pathname : null, screen ? titleOf(screen) : document.title);
  if (redirect !== null || !screen || !page) return null;
  return (
    <ScreenErrorBoundary key={pathname}>
      <Suspense fallback={<LoadingPage />}>
        <Route path={screen.pattern}>
          <ScreenContent page={page} />
        </Route>
      </Suspense>
    </ScreenErrorBoundary>
  );
}

function ScreenContent({ page }: { page: ComponentType | Promise<ComponentType> }) {
  return createElement(page instanceof Promise ? use(page) : page);
}

function LoadingPage() {
  return (
    <Page busy>
      <Loading message="Opening our album..." />
    </Page>
  );
}

/** Shown when the server cannot be reached and no user is known on this device. It does not sign anyone out. */
function Unreachable() {
  useEffect(() => {
    const retry = () => void renew();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  return (
    <Page>
      <ErrorCard level={1} onRetry={() => void renew()}>
        We could not reach our album. Nothing is lost: please check the connection and try again.
      </ErrorCard>
    </Page>
  );
}
