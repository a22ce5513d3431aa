import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { refetchAffected } from '../../base/web/queries/affected-queries.ts';
import { useStore } from '../../base/web/state/use-store.ts';
import { addShot, clearSentShots, resumeShots, waitingShots } from './waiting-shots.ts';

/**
 * The photographs of a date that the album does not show yet, how to add one, and what the server has refused since
 * `dismiss`.
 */
export function useShots(owner: string, dateId: string) {
  const queryClient = useQueryClient();
  const all = useStore(waitingShots);
  const [dismissed, setDismissed] = useState(0);
  useEffect(() => void resumeShots(owner).catch(() => undefined), [owner]);
  const sent = all.filter(({ state }) => state === 'sent').length;
  const showInAlbum = useEffectEvent(async () => {
    await refetchAffected(queryClient, 'memory');
    clearSentShots();
  });
  useEffect(() => {
    if (sent > 0) void showInAlbum();
  }, [sent]);
  const list = all.filter((shot) => shot.dateId === dateId && shot.state !== 'refused');
  const refused = all.filter((shot) => shot.dateId === dateId && shot.state === 'refused');
  return {
    list,
    add: (file: File) => void addShot(owner, dateId, file),
    /** Why the last photograph was refused; null without one. */
    refused: refused.length > dismissed ? (refused.at(-1)?.reason ?? 'A photograph could not be added.') : null,
    /** Whether this device keeps the last refused one. */
    isRefusedStored: refused.at(-1)?.storing !== 'failed',
    dismiss: () => setDismissed(refused.length),
  };
}
