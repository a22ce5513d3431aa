import { authorized } from '../../../base/web/api.ts';
import type { SendResult } from './send-result.ts';

/** Sends, and retries once with a new token if it has expired. */
export async function withToken(signal: AbortSignal, send: () => Promise<SendResult>): Promise<SendResult> {
  const ask = async (): Promise<{ sent: SendResult; status: number }> => {
    const sent: SendResult = signal.aborted ? { is: 'aborted' } : await send();
    return { sent, status: sent.is === 'signed-out' ? 401 : 200 };
  };
  // A failed renewal counts as a broken connection.
  return authorized(ask).then(
    ({ sent }) => sent,
    () => ({ is: 'broken' }),
  );
}
