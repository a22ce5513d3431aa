import { showAppearance } from '../../auth/web/appearance.ts';
import { renew, userId } from '../../auth/web/who.ts';
import { recall } from '../../base/web/device-store.ts';
import '../../base/web/theme.css';
import { beginDashboard } from '../../home/web/fetch-dashboard.ts';
import { paths } from '../../paths.ts';
import { screenAt } from './routes.tsx';

/**
 * The page begins, before React is here: who is here, what the dashboard shows, the code of the screen asked for and what
 * the browser lacks are fetched side by side with it.
 */
async function start(): Promise<void> {
  showAppearance();
  void renew().then(() => {
    if (userId() !== null && ['/', paths.home].includes(location.pathname.toLowerCase())) beginDashboard();
  });
  const drawing = import('./draw.tsx');
  // A visitor is about to be led elsewhere, and needs nothing of this screen. That it could not be fetched is told when
  // it is shown.
  if (recall('known') !== null) {
    screenAt(location.pathname)
      ?.load()
      .catch(() => undefined);
  }
  // The clock and the calendar of the rules; most browsers have it, and the others get it before anything is drawn.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const { draw } = await drawing;
  // This runs as soon as it is here, which may be before the page is read to its end.
  if (document.readyState === 'loading')
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
  draw();
}

void start();
