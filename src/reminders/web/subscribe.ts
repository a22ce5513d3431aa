import { userId } from '../../auth/web/session/session.ts';
import { canOnlyInstallByHand } from '../../base/web/device/can-only-install-by-hand.ts';
import { recall, remember } from '../../base/web/storage/device-store.ts';

/** Why this browser can't subscribe. 'install': it can, once the app is on the home screen (iPhone, iPad). */
export type PushBlocker = 'unsupported' | 'install' | 'blocked';

/** Returns what keeps this browser from subscribing, or null. */
export function pushBlocker(): PushBlocker | null {
  const able = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!able) return canOnlyInstallByHand() ? 'install' : 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : null;
}

/** How long to wait for the service worker, which registers a little after the page loads. */
const WORKER_TIMEOUT_MS = 35_000;

/**
 * Asks for permission and subscribes this browser with its push service. Resolves to null without permission.
 * @throws if the push service or the service worker isn't available
 */
export async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, timeout()]);
  const before = await pushManager.getSubscription();
  // An old subscription may have another server's keys.
  if (before) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  remember('reminded', userId());
  const { endpoint = '', keys = {} } = made.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }, device: deviceId() };
}

/** A random id of this browser that survives a sign-out, so that reminders aren't repeated after the next sign-in. */
function deviceId(): string {
  const id = recall('device') ?? crypto.randomUUID();
  remember('device', id);
  return id;
}

/** Unsubscribes this browser from its push service. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function timeout(): Promise<never> {
  return new Promise((_, failed) => {
    setTimeout(() => failed(new Error('The service worker did not start in time')), WORKER_TIMEOUT_MS);
  });
}
