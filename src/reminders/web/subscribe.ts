import { recall, remember } from '../../base/web/device-store.ts';

/** Why this browser can't be told; 'install' where it can once our album is on the home screen (iPhone, iPad). */
export type PushBlocker = 'unsupported' | 'install' | 'blocked';

/** What stands in the way of telling this device, or null. */
export function pushBlocker(): PushBlocker | null {
  const able = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!able) return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'install' : 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : null;
}

/** The worker comes a little after the page; one that never comes is not waited for. */
const WORKER_TIMEOUT_MS = 35_000;

/**
 * Subscribes this browser with its push service, after asking for permission. Null where that was not given.
 * @throws where the browser's push service can't be had
 */
export async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, tooLate()]);
  const before = await pushManager.getSubscription();
  // It may be one with the keys of another server.
  if (before) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = made.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }, device: deviceId() };
}

/** A random id that outlives a sign-out, so that after the next sign-in nothing is told again. */
function deviceId(): string {
  const id = recall('device') ?? crypto.randomUUID();
  remember('device', id);
  return id;
}

/** Lets go of this browser's subscription. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

function tooLate(): Promise<never> {
  return new Promise((_, failed) => {
    setTimeout(() => failed(new Error('No worker')), WORKER_TIMEOUT_MS);
  });
}
