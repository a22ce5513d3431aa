import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '../../../auth/contract.ts';
import { renew } from '../../../auth/web/session/renew.ts';
import { plural } from '../../../base/quantity-text.ts';
import { useAttempts } from '../../../base/web/net/use-attempts.ts';
import { useOnline, useReachable } from '../../../base/web/net/use-reachable.ts';
import { refetchAffected } from '../../../base/web/queries/affected-queries.ts';
import { sendOutbox } from '../../../base/web/storage/outbox.ts';
import { findAllDateWords } from '../../../date-mode/web/date-words.ts';
import { sendNotes } from '../../../date-mode/web/send-notes.ts';
import { resumeShots } from '../../../date-mode/web/shots.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { useOutbox } from '../../../kit/web/feedback/outbox-list.tsx';
import { useKept } from '../../../kit/web/feedback/use-kept.ts';
import { resubscribe } from '../../../reminders/web/resubscribe.ts';
import css from './connection-status.module.css';
import { RefusedDateWordsNotice } from './refused-date-words-notice.tsx';
import { RefusedShotsNotice } from './refused-shots-notice.tsx';

/**
 * Shows whether the server can be reached, and how many changes wait to be sent. It also reconnects, sends the waiting
 * changes, and resubscribes to reminders.
 */
export function ConnectionStatus({ user }: { user: User }) {
  const isOnline = useOnline();
  const isReachable = useReachable();
  useAttempts(isOnline && !isReachable ? 'renew' : null, renew);
  useEffect(() => {
    if (isReachable) resubscribe().catch(() => undefined);
  }, [isReachable]);
  const waiting = useSending(user.id, isReachable);
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

/**
 * Sends what waits as soon as possible: ideas and plans that were made offline, and the photographs and notes of date mode.
 * @returns how many ideas and plans still wait
 */
function useSending(owner: string, isReachable: boolean): number {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const waiting = useOutbox(owner).filter(({ refused }) => refused === null).length;
  const notes = useKept(findAllDateWords, owner).filter(({ isRefused }) => !isRefused).length;
  useAttempts(isReachable && waiting > 0 ? waiting : null, async () => {
    if ((await sendOutbox(owner)) === 0) return;
    notify.status('What we added while we were offline is saved.');
    await queryClient.invalidateQueries();
  });
  useAttempts(isReachable && notes > 0 ? notes : null, async () => {
    if ((await sendNotes(owner)) > 0) await refetchAffected(queryClient, 'plannedDate');
  });
  useEffect(() => {
    if (isReachable) resumeShots(owner).catch(() => undefined);
  }, [owner, isReachable]);
  return waiting;
}
