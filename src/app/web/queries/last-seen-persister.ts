import type { QueryPersister } from '@tanstack/react-query';

/** Loaded with the first response, because the first page does not need it earlier. */
const loadStore = () => import('./last-seen-queries.ts');

/** Saves the data of each query, and returns the saved data when the server cannot be reached (contract 5). */
export const lastSeenPersister: QueryPersister = (fetchQuery, context, query) =>
  Promise.resolve(fetchQuery(context)).then(
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
