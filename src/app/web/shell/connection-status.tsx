import { useEffect } from 'react';
import type { User } from '../../../auth/contract.ts';
import { renew } from '../../../auth/web/session/renew.ts';
import { plural } from '../../../base/number-texts.ts';
import { useAttempts } from '../../../base/web/net/use-attempts.ts';
import { useOnline, useReachable } from '../../../base/web/net/use-reachable.ts';
import { resubscribe } from '../../../reminders/web/resubscribe.ts';
import css from './connection-status.module.css';
import { RefusedDateWordsNotice } from './refused-date-words-notice.tsx';
import { RefusedShotsNotice } from './refused-shots-notice.tsx';
import { useSendWaiting } from './use-send-waiting.ts';

/**
 * Shows whether the server can be reached, and how many changes wait to be sent. It also reconnects, has the waiting
 * changes sent, and resubscribes to reminders.
 */
export function ConnectionStatus({ user }: { user: User }) {
  const isOnline = useOnline();
  const isReachable = useReachable();
  useAttempts(isOnline && !isReachable ? 'renew' : null, renew);
  useEffect(() => {
    if (isReachable) resubscribe().catch(() => undefined);
  }, [isReachable]);
  const waiting = useSendWaiting(user.id, isReachable);
  return (
    <div className={css.status} role="status" data-ui="connection">
      {!isOnline && <p>We are offline. This is what we saw last.</p>}
      {isOnline && !isReachable && <p>We cannot reach our album just now. This is what we saw last.</p>}
      <RefusedShotsNotice owner={user.id} />
      <RefusedDateWordsNotice owner={user.id} />
      {waiting > 0 && <p>{plural(waiting, 'thing')} waiting to be sent.</p>}
    </div>
  );
}
