import type { QueryPersister } from '@tanstack/react-query';

/** Its code comes when the first answer has, not before it. */
const seen = () => import('./last-seen-queries.ts');

/** Asks, and keeps what is answered; where the server cannot be reached, what was last seen stands in (contract 5). */
export const orLastSeen: QueryPersister = (ask, context, query) =>
  Promise.resolve(ask(context)).then(
    (data) => {
      // Its code can't be fetched where the connection has just been lost: this answer is not kept.
      seen()
        .then(({ keep }) => keep(query, data))
        .catch(() => undefined);
      return data;
    },
    (error: unknown) =>
      seen().then(
        ({ insteadOf }) => insteadOf(query, error),
        () => Promise.reject(error),
      ),
  );
