import type { QueryObserverOptions } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import type { Drawn } from '../../base/first.ts';
import { ApiError, reachBy } from '../../base/web/api.ts';
import { drawnWith, readFirstFrom } from '../../base/web/first.ts';
import { leadTo } from './lead.ts';
import { makeQueries } from './queries.ts';
import { screenAt, screens, titleOf } from './routes.tsx';
import { App } from './shell.tsx';

/*
 * The page, as the server draws it: the same screens, in a build of their own that runs there.
 */

/** Says where each request's `First` is, and how its calls are answered. */
export { reachBy, readFirstFrom };

/** Fetches every screen's code: what is here need not be waited for while a page is drawn. */
export async function fetchScreens(): Promise<void> {
  await Promise.all(screens.map((screen) => screen.load()));
}

/** A screen as it is drawn: the page's title, what stands in it, and what was found for it. */
export interface Drawing {
  readonly title: string;
  readonly html: string;
  readonly found: Drawn['found'];
}

/** So often what the screen asks for is looked for: what one answer leads to is asked for when that one is here. */
const ROUNDS = 3;

/**
 * Draws the screen of the present request; null where there is none to be drawn, or something that it shows could not be
 * had: then the page is drawn where it is shown, and tells what failed.
 */
export async function drawScreen(): Promise<Drawing | null> {
  const { path, search } = drawnWith();
  const screen = screenAt(path);
  if (!screen || leadTo(true, { pathname: path, search, hash: '' }, true) !== null) return null;
  const queries = makeQueries();
  const page = (
    <StrictMode>
      <App store={queries} />
    </StrictMode>
  );
  for (let round = 0; ; round += 1) {
    const html = await htmlOf(page);
    const all = queries.getQueryCache().getAll();
    const missing = all.filter(
      ({ state, options }) => state.data === undefined && (options as QueryObserverOptions).enabled !== false,
    );
    if (missing.length === 0) {
      const found = all
        .filter(({ state }) => state.data !== undefined)
        .map(({ queryKey, state }) => [queryKey, state.data] as const);
      return { title: titleOf(screen), html, found };
    }
    if (round === ROUNDS) return null;
    const answers = await Promise.allSettled(missing.map((query) => queries.fetchQuery(query.options as never)));
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (failure?.reason instanceof ApiError) return null;
    if (failure) throw failure.reason;
  }
}

async function htmlOf(page: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(page, {
    // Whole, in its place: nothing that a script would have to move there.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw errors[0];
  return html;
}
