import type { QueryPersister } from '@tanstack/react-query';
import { isOffline } from '../../../auth/web/session/session.ts';

/** Loaded with the first response, because the first page does not need it earlier. */
const loadStore = () => import('./last-seen-queries.ts');

/**
 * Saves the data of each query, and returns the saved data when the server cannot be reached: at once if that is known,
 * because a connection without an answer fails late (contract 5).
 */
export const lastSeenPersister: QueryPersister = (fetchQuery, context, query) => {
  const fetched = Promise.resolve(fetchQuery(context)).then(
    (data) => {
      // The code cannot load if the connection has just been lost. Then this data is not saved.
      loadStore()
        .then(({ saveQuery }) => saveQuery(query, data))
        .catch(() => undefined);
      return data;
    },
    (error: unknown) =>
      loadStore().then(
        ({ loadSavedQuery }) => loadSavedQuery(query, error),
        () => Promise.reject(error),
      ),
  );
  return isOffline()
    ? loadStore().then(
        ({ preferSaved }) => preferSaved(query, fetched),
        () => fetched,
      )
    : fetched;
};
