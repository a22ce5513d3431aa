import { userId } from '../../auth/web/session/session.ts';
import { recall } from '../../base/web/storage/device-store.ts';
import { reminderApi } from './api.ts';
import { pushBlocker, subscribe } from './subscribe.ts';

/**
 * Subscribes a device again after its user has signed in. The server's subscription ended with the old session, but the
 * browser keeps its own until the user turns reminders off or signs out. Another user who signs in there gets none.
 */
export async function resubscribe(): Promise<void> {
  const reminded = recall('reminded');
  if (reminded !== null && reminded !== userId()) return;
  if (pushBlocker() !== null || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!(await registration?.pushManager.getSubscription())) return;
  const { subscribed, publicKey } = await reminderApi('GET /api/reminders');
  if (subscribed) return;
  const device = await subscribe(publicKey);
  if (device) await reminderApi('PUT /api/reminders/device', { body: device });
}
