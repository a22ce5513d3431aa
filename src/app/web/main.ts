import { renew, userId } from '../../auth/web/session/session.ts';
import { applyAppearance } from '../../auth/web/settings/appearance.ts';
import { recall } from '../../base/web/device-store.ts';
import { awaitOffer } from '../../base/web/install-offer.ts';
import '../../base/web/theme.css';
import { prefetchDashboard } from '../../home/web/fetch-dashboard.ts';
import { paths } from '../../paths.ts';
import type { DrawnPage } from './first-page.ts';
import { pause, whole } from './quiet.ts';
import { screenAt } from './routes.tsx';

/**
 * The page begins, before React is here: who is here, what the dashboard shows, the code of the screen asked for and what
 * the browser lacks are fetched side by side with it. What the server has drawn is seen first, and then comes alive.
 */
async function start(): Promise<void> {
  applyAppearance();
  awaitOffer();
  const isDrawn = 'drawn' in document.documentElement.dataset;
  const drawn = isDrawn ? await takeDrawn().catch(() => null) : null;
  const here = renew();
  if (drawn === null) void here.then(beginScreen);
  const holds = drawn && here.then(() => drawn.holds());
  await pause();
  const drawing = import('./draw.tsx');
  await pause();
  // A visitor is about to be led elsewhere, and needs nothing of this screen. That it could not be fetched is told when
  // it is shown.
  const known = drawn !== null || recall('known') !== null;
  const screen = known ? screenAt(location.pathname)?.load() : undefined;
  screen?.catch(() => undefined);
  // The clock and the calendar of the rules; most browsers have it, and the others get it before anything is drawn.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const { draw } = await drawing;
  await whole();
  if (drawn !== null) await screen?.catch(() => undefined);
  await draw((await holds) ? drawn : null);
}

/** What the server has drawn, once it has been seen. */
async function takeDrawn(): Promise<DrawnPage> {
  return (await import('./first-page.ts')).seenAsDrawn();
}

/** What the dashboard shows is asked for before its code is here. */
function beginScreen(): void {
  if (userId() !== null && ['/', paths.home].includes(location.pathname.toLowerCase())) prefetchDashboard();
}

void start();
