import { keepCall } from './outbox.ts';

/**
 * Sends a call, or stores it in the outbox while the browser is offline.
 * @param mustWait whether it waits there in any case, because it depends on a stored call
 * @returns the reply; null if the call is stored
 * @throws the errors of `send`, and if the browser can't store the call
 */
export async function sendOrKeep<Reply>(
  send: () => Promise<Reply>,
  call: Parameters<typeof keepCall>[0],
  mustWait = false,
): Promise<Reply | null> {
  if (navigator.onLine && !mustWait) return send();
  await keepCall(call);
  return null;
}
