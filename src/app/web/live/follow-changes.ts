import type { QueryClient } from '@tanstack/react-query';
import { expectFarewell } from '../../../auth/web/couple/farewell.ts';
import { refetchUser } from '../../../auth/web/session/refetch-user.ts';
import { userId } from '../../../auth/web/session/session.ts';
import type { Change } from '../../../base/change.ts';
import { isAffectedBy } from '../../../base/web/queries/affected-queries.ts';
import { isOwnChange } from '../../../base/web/queries/own-changes.ts';
import { fetchBeganAt } from '../queries/fetch-times.ts';
import { openEventStream } from './open-event-stream.ts';
import { refetch } from './refetch.ts';
import { throttle } from './throttle.ts';

/**
 * Refetches what either partner changes (ideas.list.15). After a gap in the stream it refetches every open screen, but
 * nothing that it began to fetch after the gap.
 * @param hasGap whether the stream follows a gap, such as time offline
 * @returns a function that stops it
 */
export function followChanges(queryClient: QueryClient, hasGap: boolean): () => void {
  const refetchEntity = throttle<Change['entity']>((entities) => {
    if (entities.has('couple')) void refetchUser();
    return refetch(queryClient, isAffectedBy(entities));
  });
  const onChange = (change: Change) => {
    // What is fetched next is refused, which ends the session.
    if (change.entity === 'couple' && change.action === 'deleted') expectFarewell('deleted');
    if (!isOwnChange(change, userId())) refetchEntity(change.entity);
  };
  const onGap = (until: number) => {
    void refetch(queryClient, (query) => fetchBeganAt(query) < until);
    void refetchUser();
  };
  return openEventStream({ onChange, onGap }, hasGap);
}
