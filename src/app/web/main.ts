import { renew, userId } from '../../auth/web/session/session.ts';
import { applyAppearance } from '../../auth/web/settings/appearance.ts';
import { parseSsrData, SSR_DATA_ID, type SsrData } from '../../base/ssr.ts';
import { recall } from '../../base/web/device-store.ts';
import { awaitOffer } from '../../base/web/install-offer.ts';
import '../../base/web/server-sizes.css';
import { provideSsrRequest } from '../../base/web/ssr.ts';
import '../../base/web/theme.css';
import { prefetchDashboard } from '../../home/web/fetch-dashboard.ts';
import { paths } from '../../paths.ts';
import { delay, domReady, painted } from './rendering/timing.ts';
import { screenAt } from './routing/routes.tsx';

/** When the page is reloaded if its code did not arrive, in milliseconds. */
const RELOAD_MS = 5000;

/**
 * The entry of the page, small and without React. It renews the session and loads React, the screen's code, and the
 * dashboard's data in parallel. On a server-rendered page it first waits for the paint, so that the scripts do not
 * compete with the leading photograph for bandwidth.
 */
async function start(): Promise<void> {
  applyAppearance();
  awaitOffer();
  const ssr = await readSsrData();
  provideSsrRequest(() => ssr);
  if (ssr !== null) await painted();
  const session = renew();
  // Without a network, session and screen wait for what was last seen: its code, which each would load by itself.
  if (!navigator.onLine) import('./queries/last-seen-queries.ts').catch(() => undefined);
  if (ssr === null) void session.then(prefetchScreen);
  await delay();
  const client = import('./rendering/entry-client.tsx');
  client.catch(() => undefined);
  await delay();
  // A visitor is about to be redirected and does not need this screen.
  const known = ssr !== null || recall('known') !== null;
  const screen = known ? screenAt(location.pathname)?.load() : undefined;
  // A polyfill for older browsers. The rules use Temporal in the first render.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const { startPage } = await client;
  await domReady();
  if (ssr !== null) await Promise.allSettled([session, screen]);
  await startPage(ssr);
}

/** Reads the data block of a server-rendered page, or returns null. */
async function readSsrData(): Promise<SsrData | null> {
  // The script is async: it may run before the end of the page has arrived.
  await domReady();
  const block = document.getElementById(SSR_DATA_ID);
  return block === null ? null : parseSsrData(block.textContent);
}

/** Starts fetching the dashboard's data while its code loads. */
function prefetchScreen(): void {
  if (userId() !== null && ['/', paths.home].includes(location.pathname.toLowerCase())) prefetchDashboard();
}

// Code did not arrive: the connection is bad. A reload loses nothing: the page takes no input before it has started.
start().catch(() => setTimeout(() => location.reload(), RELOAD_MS));
