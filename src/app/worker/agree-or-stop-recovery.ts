import type { PushAction } from '../../reminders/push-notice.ts';
import type { NotificationScope } from './handle-notifications.ts';

/** The calls of the buttons. */
const CALLS: Readonly<Record<PushAction, readonly [method: string, path: string]>> = {
  agree: ['POST', '/api/auth/recovery/agree'],
  stop: ['DELETE', '/api/auth/recovery'],
};

/**
 * Agrees to a link for a new password, or stops it, as a button of its notification says (reminders.8).
 * @returns whether it is done, or was done before on another device
 */
export async function agreeOrStopRecovery(
  scope: Pick<NotificationScope, 'fetch'>,
  action: PushAction,
): Promise<boolean> {
  const renewed = await scope.fetch('/api/auth/renew', { method: 'POST' });
  if (!renewed.ok) return false;
  const { token } = (await renewed.json()) as { token: string };
  const [method, path] = CALLS[action];
  const { ok, status } = await scope.fetch(path, { method, headers: { authorization: `Bearer ${token}` } });
  return ok || status === 404;
}
