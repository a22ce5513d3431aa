import { dehydrate, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { serializeSsrData } from '../../../base/ssr.ts';
import { ApiError, setTransport } from '../../../base/web/api.ts';
import { provideSsrRequest, requireSsrRequest } from '../../../base/web/ssr.ts';
import { createQueryClient } from '../queries/query-client.ts';
import { redirectFor } from '../routing/redirects.ts';
import { screenAt, screens, titleOf } from '../routing/routes.tsx';
import { App } from '../shell/app.tsx';
import { type PageAssets, renderDocument } from './document.tsx';
import { toHtml } from './to-html.ts';

/*
 * The entry of the server build: renders the document and the browser's components to HTML.
 */

/** The build defines it. */
declare const PAGE_ASSETS: PageAssets;

/** The server sets both once: how to read the current request, and how to make API calls. */
export { provideSsrRequest, setTransport };

/** Loads the code of every screen, so that rendering does not wait for it. */
export async function loadScreens(): Promise<void> {
  await Promise.all(screens.map((screen) => screen.load()));
}

/** Renders the page without a screen, which is the same at every address: the browser renders the screen. */
export function renderPlainPage(): Promise<string> {
  return renderDocument(PAGE_ASSETS, null);
}

/** The most rounds of fetching per screen. A query may depend on the data of another. */
const MAX_ROUNDS = 3;

/**
 * Renders the page at the current request's path. Returns null if it has no screen or if an API call fails. Then the
 * browser renders the page and shows the error.
 */
export async function renderPage(): Promise<string | null> {
  const request = requireSsrRequest();
  const { path, search } = request;
  const screen = screenAt(path);
  if (!screen || redirectFor(true, { pathname: path, search, hash: '' }, true) !== null) return null;
  const queries = createQueryClient();
  const page = (
    <StrictMode>
      <App queryClient={queries} />
    </StrictMode>
  );
  try {
    let html = await toHtml(page);
    for (let round = 0; missingQueries(queries).length > 0; round += 1) {
      if (round === MAX_ROUNDS) return null;
      await Promise.all(missingQueries(queries).map((query) => queries.fetchQuery(query.options as never)));
      html = await toHtml(page);
    }
    const data = serializeSsrData({ ...request, queries: dehydrate(queries) });
    return await renderDocument(PAGE_ASSETS, { title: titleOf(screen), html, data });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  } finally {
    // Otherwise their timers would keep the data in memory until it expires.
    queries.clear();
  }
}

/** The enabled queries that the screen asked for and that have no data yet. */
function missingQueries(queries: QueryClient) {
  return queries
    .getQueryCache()
    .getAll()
    .filter(({ state, options }) => state.data === undefined && (options as QueryObserverOptions).enabled !== false);
}
