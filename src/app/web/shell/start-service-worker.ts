import { BEGIN } from '../../../base/kept-here.ts';
import { isHeld } from '../../../base/web/guards.ts';
import { delay, whenIdle } from '../rendering/timing.ts';

/** The worker is fetched when the app is stable, and at this age of the page in any case (spec 9, Service worker). */
const AT_THE_LATEST_MS = 30_000;
/** How often it is looked whether a form or an upload is over. */
const LOOK_EVERY_MS = 1000;
/** How often an app that stays open asks whether there is a newer one. */
const ASK_EVERY_MS = 60 * 60_000;

/**
 * Registers the service worker, in production builds alone, once the app is stable or after 30 seconds. A newer version
 * is offered as soon as it waits and nobody is in the middle of a form or an upload; `begin` lets it take over, and
 * loads the page anew.
 */
export async function startWorker(isBusy: () => boolean, offer: (begin: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  await whenIdle(isBusy, AT_THE_LATEST_MS - performance.now());
  const workers = navigator.serviceWorker;
  const registration = await workers.register('/service-worker.js', { updateViaCache: 'none' }).catch(() => undefined);
  if (!registration) return;
  let offered: ServiceWorker | null = null;
  const look = async () => {
    const { waiting } = registration;
    // The very first one waits for nobody.
    if (!waiting || !workers.controller || waiting === offered) return;
    offered = waiting;
    while (isHeld()) await delay(LOOK_EVERY_MS);
    offer(() => begin(waiting));
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => void look());
  });
  void look();
  let asked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < ASK_EVERY_MS) return;
    asked = Date.now();
    void registration.update().catch(() => undefined);
  });
}

function begin(waiting: ServiceWorker): void {
  const again = () => location.reload();
  // Another tab may have let it begin already.
  if (waiting.state !== 'installed') return again();
  navigator.serviceWorker.addEventListener('controllerchange', again, { once: true });
  waiting.postMessage(BEGIN);
}
