import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAttempts } from '../../../base/web/net/use-attempts.ts';
import { refetchAffected } from '../../../base/web/queries/affected-queries.ts';
import { sendOutbox } from '../../../base/web/storage/outbox.ts';
import { findAllDateWords } from '../../../date-mode/web/date-words.ts';
import { sendNotes } from '../../../date-mode/web/send-notes.ts';
import { resumeShots } from '../../../date-mode/web/waiting-shots.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { useKeptOnDevice, useOutbox } from '../../../kit/web/feedback/use-kept-on-device.ts';

/**
 * Sends what waits as soon as possible: ideas and plans that were made offline, and the photographs and notes of date mode.
 * @returns how many ideas and plans still wait
 */
export function useSendWaiting(owner: string, isReachable: boolean): number {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const waiting = useOutbox(owner).filter(({ refused }) => refused === null).length;
  const notes = useKeptOnDevice(findAllDateWords, owner).filter(({ isRefused }) => !isRefused).length;
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
