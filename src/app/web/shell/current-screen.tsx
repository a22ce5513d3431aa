import { type ComponentType, createElement, Suspense, use, useLayoutEffect, useMemo } from 'react';
import { Route } from 'wouter';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { keepSharedText } from '../../../ideas/web/shared-text.ts';
import { redirectFor } from '../routing/redirects.ts';
import { screenAt, tabTitleOf } from '../routing/routes.ts';
import { usePageChange } from '../routing/use-page-change.ts';
import { LoadingPage } from './loading-page.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';

/** The screen at the current address, or a redirect. */
export function CurrentScreen({ signedIn }: { signedIn: boolean }) {
  const pathname = usePathname();
  const search = useSearch();
  const screen = screenAt(pathname);
  const redirect = redirectFor(signedIn, { pathname, search, hash: location.hash }, screen !== undefined);
  useLayoutEffect(() => {
    if (redirect === null) return;
    keepSharedText();
    navigate(redirect, { replace: true });
  }, [redirect]);
  // Loaded code is rendered at once: even for a settled promise, `use` first suspends, which would show as a flash.
  const page = useMemo(() => screenAt(pathname)?.page ?? screenAt(pathname)?.load(), [pathname]);
  usePageChange(redirect === null ? pathname : null, screen ? tabTitleOf(screen) : document.title);
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
