import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { PlannedDate } from '../../../dates/contract.ts';
import { isDue, msUntilNextAsk } from '../../../dates/reveal-time.ts';
import { dateKeys } from '../../../dates/web/queries.ts';
import type { Dashboard } from '../../../home/web/fetch-dashboard.ts';
import { homeKeys } from '../../../home/web/queries.ts';
import type { Versioned } from '../../../kit/web/forms/versioned-edit.ts';

/**
 * Refetches at the time at which a surprise is revealed, because the server announces nothing then. One timer
 * waits for the soonest surprise in the loaded data. A hidden page asks when it becomes visible.
 * @returns a function that stops it
 */
export function watchSurprises(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  const schedule = () => {
    clearTimeout(timer);
    const wait = msUntilNextAsk(loadedDates(queryClient), Date.now());
    if (wait !== null && !hasStopped && !document.hidden) timer = setTimeout(() => void ask(), wait);
  };
  const ask = async () => {
    const due = dueIds(queryClient);
    if (due.size > 0) {
      await queryClient.invalidateQueries({
        predicate: ({ queryKey, state }) => datesIn(queryKey, state.data).some(({ id }) => due.has(id)),
      });
      const still = dueIds(queryClient);
      // What was revealed also counts in ideas, memories, and statistics.
      if (!hasStopped && [...due].some((id) => !still.has(id))) void queryClient.invalidateQueries();
    }
    schedule();
  };
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    const isNew = event.type === 'added' || (event.type === 'updated' && event.action.type === 'success');
    const { queryKey, state } = event.query as Query;
    if (isNew && datesIn(queryKey, state.data).length > 0) schedule();
  });
  const onVisibility = () => (document.hidden ? clearTimeout(timer) : void ask());
  document.addEventListener('visibilitychange', onVisibility);
  schedule();
  return () => {
    hasStopped = true;
    clearTimeout(timer);
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

/** The dates in a query's data that can be surprises. */
function datesIn(queryKey: QueryKey, data: unknown): readonly PlannedDate[] {
  const [slice, kind] = queryKey;
  if (data === undefined) return [];
  if (slice === dateKeys.all[0] && kind === 'list') return data as readonly PlannedDate[];
  if (slice === dateKeys.all[0] && kind === 'one') return [(data as Versioned<PlannedDate>).entity];
  if (slice === homeKeys.all[0] && kind === 'dashboard')
    return [(data as Dashboard).next].filter((one) => one !== null);
  return [];
}

function loadedDates(queryClient: QueryClient): readonly PlannedDate[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state }) => datesIn(queryKey, state.data));
}

function dueIds(queryClient: QueryClient): ReadonlySet<string> {
  const now = Date.now();
  return new Set(
    loadedDates(queryClient)
      .filter((date) => isDue(date, now))
      .map(({ id }) => id),
  );
}
