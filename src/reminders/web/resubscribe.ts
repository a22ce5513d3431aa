import { client } from '../../base/web/api.ts';
import type { reminderCalls } from '../contract.ts';
import { pushBlocker, subscribe } from './subscribe.ts';

const api = client<typeof reminderCalls>();

/**
 * A device that was told is told again after its user has signed in anew: a session that ended took its reminders along,
 * but the browser's subscription stands until somebody turns it off or signs out.
 */
export async function resubscribe(): Promise<void> {
  if (pushBlocker() !== null || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!(await registration?.pushManager.getSubscription())) return;
  const { subscribed, publicKey } = await api('GET /api/reminders');
  if (subscribed) return;
  const device = await subscribe(publicKey);
  if (device) await api('PUT /api/reminders/device', { body: device });
}
