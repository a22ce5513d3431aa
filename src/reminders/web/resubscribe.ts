import { userId } from '../../auth/web/session/session.ts';
import { client } from '../../base/web/net/client.ts';
import { recall } from '../../base/web/storage/device-store.ts';
import type { reminderCalls } from '../contract.ts';
import { pushBlocker, subscribe } from './subscribe.ts';

const api = client<typeof reminderCalls>();

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
  const { subscribed, publicKey } = await api('GET /api/reminders');
  if (subscribed) return;
  const device = await subscribe(publicKey);
  if (device) await api('PUT /api/reminders/device', { body: device });
}
