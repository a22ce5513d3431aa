// Reads the address before anything changes it.
import '../../auth/web/recovery/unused-link.ts';
import { openLastSession, renew, watchSession } from '../../auth/web/session/renew.ts';
import { userId } from '../../auth/web/session/session.ts';
import { applyAppearance } from '../../auth/web/settings/appearance.ts';
import { awaitOffer } from '../../base/web/device/install-offer.ts';
import { recall } from '../../base/web/storage/device-store.ts';
import '../../base/web/theme.css';
import { preloadLastSeenLead } from '../../home/web/preload-last-seen-lead.ts';
import { paths } from '../../paths.ts';
import { screenAt } from './routing/routes.ts';
import { delay } from './start/delay.ts';
import { whenPainted } from './start/when-painted.ts';

/** How long after a failure the page is reloaded, in milliseconds. */
const RELOAD_MS = 5000;
/** How long the opening of `index.html` stays for the first screen, in milliseconds. Then the app shows that it loads. */
const OPENING_MS = 1000;

/**
 * The entry of the page, small and without React. It reads what this device last saw, renews the session, and loads React
 * and the screen's code in parallel.
 */
async function start(): Promise<void> {
  applyAppearance();
  watchSession();
  awaitOffer();
  const opened = openLastSession().then(preloadLead);
  void renew();
  await whenPainted();
  const page = import('./start/start-page.tsx');
  page.catch(() => undefined);
  const screen = firstScreen()?.load();
  // A polyfill for older browsers. The rules use Temporal in the first render.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const { startPage } = await page;
  await Promise.race([Promise.allSettled([opened, screen]), delay(OPENING_MS)]);
  startPage();
}

/** The screen at this address. A visitor is about to be redirected to the sign-in page. */
function firstScreen() {
  const isAuthPath = location.pathname.toLowerCase().startsWith('/auth/');
  return screenAt(recall('known') === null && !isAuthPath ? paths.signIn : location.pathname);
}

/** Starts loading the first photograph that the dashboard last showed, while its code loads. */
function preloadLead(): void {
  const user = userId();
  if (user !== null && isDashboard()) preloadLastSeenLead(user);
}

const isDashboard = () => ['/', paths.home].includes(location.pathname.toLowerCase());

// Usually code did not arrive: the connection is bad. A reload loses nothing: the page takes no input before it has started.
start().catch(() => setTimeout(() => location.reload(), RELOAD_MS));
