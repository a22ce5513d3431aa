import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Drawn } from '../../base/first.ts';
import { Wake } from '../../base/web/alive.tsx';
import { recall } from '../../base/web/device-store.ts';
import { readFirstFrom } from '../../base/web/first.ts';
import { clock, deviceZone } from '../../base/web/now.ts';
import { keepScroll } from './kept-scroll.ts';
import { queries } from './queries.ts';
import { pause } from './quiet.ts';
import { App } from './shell.tsx';
import { fetchAhead } from './turning.ts';

/** What the server has drawn is kept for when nobody can be asked, but not while the page comes alive. */
const KEEP_AFTER_MS = 2000;

/** A clock that is off by more than this would show other times, in milliseconds. */
const OFF_MS = 60_000;

/**
 * Draws the page, or brings to life what the server has drawn, and from then on fetches ahead what is about to be asked
 * for.
 */
export async function draw(drawn: Drawn | null): Promise<void> {
  fetchAhead();
  keepScroll();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root.');
  const page = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  // In one step there is no moment between the two pages.
  for (const [key, data] of drawn?.found ?? []) queries.setQueryData(key, data);
  if (drawn === null || !(await looksAs(drawn))) {
    readFirstFrom(() => null);
    createRoot(root).render(
      <>
        {page}
        <Wake />
      </>,
    );
    return;
  }
  for (const one of root.querySelectorAll<HTMLElement>('[data-style]')) one.style.cssText = one.dataset.style ?? '';
  await pause();
  // In many short steps, between which the page scrolls and hears.
  startTransition(() => void hydrateRoot(root, page));
  await pause(KEEP_AFTER_MS);
  const seen = await import('./last-seen-queries.ts').catch(() => null);
  for (const [queryKey, data] of drawn.found) {
    const query = queries.getQueryCache().find({ queryKey });
    if (query) void seen?.keep(query, data);
  }
}

/** Whether this device would draw the same: its zone and its clock may be others, or it was told to look otherwise. */
async function looksAs({ zone, now }: Drawn): Promise<boolean> {
  // The first look at the zone takes its time.
  await pause();
  const same = zone === deviceZone() && Math.abs(clock() - now) < OFF_MS;
  await pause();
  return same && recall('hearts') === null && recall('gallery') === null;
}
