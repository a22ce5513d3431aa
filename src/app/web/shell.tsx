import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, lazy, Suspense, use, useEffect, useLayoutEffect, useState } from 'react';
import { Route, Router } from 'wouter';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { renew } from '../../auth/web/session/session.ts';
import { useSession, useUser } from '../../auth/web/session/use-session.ts';
import { wake } from '../../base/web/alive.tsx';
import { recall, remember } from '../../base/web/device-store.ts';
import { first } from '../../base/web/first.ts';
import { ConfirmProvider } from '../../kit/web/feedback/confirm.tsx';
import { ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { NotifyProvider } from '../../kit/web/feedback/notices.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { useArrival } from './arrival.ts';
import { Aside, Failure } from './failure.tsx';
import { leadTo } from './lead.ts';
import { Navigation } from './navigation.tsx';
import { queries } from './queries.ts';
import { pause, quiet } from './quiet.ts';
import { type Screen, screenAt, titleOf } from './routes.tsx';
import { turnPage } from './turning.ts';

/** These wait for the first page, which they would slow down; but no longer than this, in milliseconds. */
const PATIENCE_MS = 3000;
/** They come so far apart, in milliseconds. */
const APART_MS = 50;
const isBusy = () => queries.isFetching() > 0 || document.querySelector('main[aria-busy]') !== null;
let late = 0;
/** When the page stands, one after the other: all at once they would hold up a press. */
async function afterAll(): Promise<void> {
  late += 1;
  const turn = late;
  await quiet(isBusy, PATIENCE_MS);
  await pause(turn * APART_MS);
}

const FloatingHearts = lazy(async () => {
  await afterAll();
  return { default: (await import('../../kit/web/album/floating-hearts.tsx')).FloatingHearts };
});
const Standing = lazy(async () => {
  await afterAll();
  return { default: (await import('./standing.tsx')).Standing };
});
const NewVersion = lazy(async () => {
  await afterAll();
  return { default: (await import('./new-version.tsx')).NewVersion };
});
const DeletionNotice = lazy(async () => {
  await afterAll();
  return { default: (await import('../../auth/web/couple/deletion-notice.tsx')).DeletionNotice };
});
const Celebration = lazy(async () => {
  await afterAll();
  return { default: (await import('../../stats/web/celebration.tsx')).Celebration };
});

/** The whole page: what stands around the screens, and which of them is shown. */
export function App({ store = queries }: { store?: QueryClient }) {
  const drawn = first();
  return (
    <QueryClientProvider client={store}>
      <Router aroundNav={turnPage} {...(drawn ? { ssrPath: drawn.path, ssrSearch: drawn.search } : {})}>
        <ConfirmProvider>
          <NotifyProvider>
            <Failure>
              <Who />
            </Failure>
            <Aside>
              <NewVersion />
            </Aside>
          </NotifyProvider>
        </ConfirmProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** Shows what belongs to whoever is here; nobody is led anywhere before that is known. */
function Who() {
  const session = useSession();
  if (session.is === 'starting') {
    return (
      <>
        <header className="opening">Our Love Story</header>
        <Opening />
      </>
    );
  }
  if (session.is === 'ended') return null;
  if (session.is === 'unreachable') return <Unreachable />;
  return (
    <>
      {session.is === 'in' && <Inside away={session.offline} />}
      <Shown signedIn={session.is === 'in'} />
    </>
  );
}

/** What only a signed-in user has about the pages. */
function Inside({ away }: { away: boolean }) {
  const user = useUser();
  const [still, setStill] = useState(() => recall('hearts') === 'still');
  useEffect(() => {
    if (away) return undefined;
    let stop: (() => void) | undefined;
    let gone = false;
    // The first page is not kept waiting for it.
    const follow = () => {
      import('./live.ts').then(
        ({ followChanges }) => {
          if (!gone) stop = followChanges(queries);
        },
        // The connection was lost before its code was here.
        () => addEventListener('online', follow, { once: true }),
      );
    };
    follow();
    return () => {
      gone = true;
      removeEventListener('online', follow);
      stop?.();
    };
  }, [away]);
  const toggle = () => {
    remember('hearts', still ? null : 'still');
    setStill(!still);
  };
  return (
    <>
      <Aside>
        <FloatingHearts density="light" speed="slow" paused={still} />
      </Aside>
      <Navigation user={user} heartsStill={still} onHearts={toggle} />
      <Aside>
        <Standing user={user} away={away} />
        <Celebration />
        <DeletionNotice user={user} />
      </Aside>
    </>
  );
}

/** The screen at the present address, or the way to where one is led instead. */
function Shown({ signedIn }: { signedIn: boolean }) {
  const drawn = first();
  const pathname = usePathname(drawn ? { ssrPath: drawn.path } : {});
  const search = useSearch(drawn ? { ssrSearch: drawn.search } : {});
  const screen = screenAt(pathname);
  const elsewhere = leadTo(signedIn, { pathname, search, hash: globalThis.location?.hash ?? '' }, screen !== undefined);
  useLayoutEffect(() => {
    if (elsewhere !== null) navigate(elsewhere, { replace: true });
  }, [elsewhere]);
  useArrival(elsewhere === null ? pathname : null, screen ? titleOf(screen) : document.title);
  if (elsewhere !== null || !screen) return null;
  return (
    <Failure key={pathname}>
      <Suspense fallback={<Opening />}>
        <Route path={screen.pattern}>
          <Turned screen={screen} />
        </Route>
      </Suspense>
    </Failure>
  );
}

function Turned({ screen }: { screen: Screen }) {
  useEffect(wake, []);
  // Code that is here is shown at once, without the blink of a promise.
  return createElement(screen.page ?? use(screen.load()));
}

function Opening() {
  return (
    <Page busy>
      <Loading message="Opening our album..." />
    </Page>
  );
}

/** Being unable to ask signs nobody out: when the connection is back, we go on. */
function Unreachable() {
  useEffect(() => {
    const again = () => void renew();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <Page>
      <ErrorCard level={1} onRetry={() => void renew()}>
        We could not reach our album. Nothing is lost: please check the connection and try again.
      </ErrorCard>
    </Page>
  );
}
