import type { QueryPersister } from '@tanstack/react-query';

/** Its code comes when the first answer has, not before it. */
const seen = () => import('./last-seen-queries.ts');

/** Asks, and keeps what is answered; where the server cannot be reached, what was last seen stands in (contract 5). */
export const orLastSeen: QueryPersister = (ask, context, query) =>
  Promise.resolve(ask(context)).then(
    (data) => {
      void seen().then(({ keep }) => keep(query, data));
      return data;
    },
    (error: unknown) => seen().then(({ insteadOf }) => insteadOf(query, error)),
  );
