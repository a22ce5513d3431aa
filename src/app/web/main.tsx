import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { showAppearance } from '../../auth/web/appearance.ts';
import { renew } from '../../auth/web/session.ts';
import { recall } from '../../base/web/device-store.ts';
import '../../base/web/install.ts';
import '../../base/web/theme.css';
import { screenAt } from './routes.tsx';
import { App } from './shell.tsx';
import { fetchAhead } from './turning.ts';

/** The page begins: who is here, the code of the screen asked for and what the browser lacks are fetched side by side. */
async function start(): Promise<void> {
  showAppearance();
  void renew();
  // A visitor is about to be led elsewhere, and needs nothing of this screen. That it could not be fetched is told when
  // it is shown.
  if (recall('known') !== null) {
    screenAt(location.pathname)
      ?.load()
      .catch(() => undefined);
  }
  // The clock and the calendar of the rules; most browsers have it, and the others get it before anything is drawn.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  fetchAhead();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root.');
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

void start();
