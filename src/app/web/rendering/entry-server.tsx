import { dehydrate, type QueryClient, type QueryObserverOptions } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { ApiError, setTransport } from '../../../base/web/api.ts';
import { provideSsrRequest, requireSsrRequest } from '../../../base/web/ssr.ts';
import { createQueryClient } from '../queries/query-client.ts';
import { redirectFor } from '../routing/redirects.ts';
import { screenAt, screens, titleOf } from '../routing/routes.tsx';
import { App } from '../shell/app.tsx';

/*
 * The entry of the server build: renders the browser's components to HTML.
 */

/** The server sets both once: how to read the scope of the current request, and how to make API calls. */
export { provideSsrRequest, setTransport };

/** Loads the code of every screen, so that rendering does not wait for it. */
export async function loadScreens(): Promise<void> {
  await Promise.all(screens.map((screen) => screen.load()));
}

export interface RenderedScreen {
  readonly title: string;
  readonly html: string;
  /** The queries' dehydrated state, for the data block. */
  readonly queries: object;
}

/** The most rounds of fetching per screen. A query may depend on the data of another. */
const MAX_ROUNDS = 3;

/**
 * Renders the screen at the current request's path. Returns null if there is none or if an API call fails. Then the
 * browser renders the page and shows the error.
 */
export async function renderScreen(): Promise<RenderedScreen | null> {
  const { path, search } = requireSsrRequest();
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
    return { title: titleOf(screen), html, queries: dehydrate(queries) };
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

async function toHtml(page: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(page, {
    // One chunk: React moves further chunks into place with inline scripts, which the Content-Security-Policy forbids.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw errors[0];
  return html;
}
