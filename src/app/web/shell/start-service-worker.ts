import { hasGuard } from '../../../base/web/navigation/guards.ts';
import { ACTIVATE_MESSAGE } from '../../../base/worker-contract.ts';
import { delay } from '../start/delay.ts';
import { whenIdle } from '../start/when-idle.ts';

/** The worker is registered when the app is stable, at the latest at this age of the page (screens.offline.3). */
const REGISTER_BY_MS = 30_000;
/** How often to check whether a form or an upload is finished. */
const POLL_MS = 1000;
/** How often an open app checks for a new version. */
const UPDATE_CHECK_MS = 60 * 60_000;

/**
 * Registers the service worker once the app is stable or after 30 seconds, in production builds only.
 * @param offer called when a new version is installed and no form or upload is in progress; its argument activates the
 *   new version and reloads the page
 */
export async function startServiceWorker(isBusy: () => boolean, offer: (activate: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await whenIdle(isBusy, REGISTER_BY_MS - performance.now());
  const workers = navigator.serviceWorker;
  const registration = await workers.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
  if (!registration) return;
  let offered: ServiceWorker | null = null;
  const offerWaiting = async () => {
    const { waiting } = registration;
    // The first worker ever takes over by itself.
    if (!waiting || !workers.controller || waiting === offered) return;
    offered = waiting;
    while (hasGuard()) await delay(POLL_MS);
    offer(() => activate(waiting));
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => void offerWaiting());
  });
  void offerWaiting();
  let checkedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - checkedAt < UPDATE_CHECK_MS) return;
    checkedAt = Date.now();
    void registration.update().catch(() => undefined);
  });
}

function activate(waiting: ServiceWorker): void {
  const reload = () => location.reload();
  // Another tab may have activated it already.
  if (waiting.state !== 'installed') return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  waiting.postMessage(ACTIVATE_MESSAGE);
}
