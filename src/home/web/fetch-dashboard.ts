import { client } from '../../base/web/api.ts';
import type { dateCalls, PlannedDate } from '../../dates/contract.ts';
import type { Memory, memoryCalls } from '../../memories/contract.ts';
import type { Stats, statsCalls } from '../../stats/contract.ts';

const api = client<typeof statsCalls & typeof dateCalls & typeof memoryCalls>();

/** What the dashboard shows. */
export interface Dashboard {
  readonly stats: Stats;
  readonly next: PlannedDate | null;
  /** The newest six; four of them are shown (spec 9). */
  readonly memories: readonly Memory[];
}

/** How many memories are asked for (spec 9). */
const MEMORIES = '6';
/** An answer begun longer ago than this is no news any more, in milliseconds. */
const PREFETCH_MAX_AGE_MS = 10_000;

/** Three calls in parallel; a failure of the next date's alone counts as none (spec 7, Dashboard load). */
async function loadDashboard(signal: AbortSignal | null): Promise<Dashboard> {
  const options = signal === null ? {} : { signal };
  const [stats, next, memories] = await Promise.all([
    api('GET /api/Stats', {}, options),
    api('GET /api/PlannedDates/next', {}, options).catch(() => null),
    api('GET /api/Memories', { query: { count: MEMORIES } }, options),
  ]);
  return { stats, next, memories };
}

let prefetched: { readonly at: number; readonly answer: Promise<Dashboard> } | null = null;

/** Asks before the page that will show it is here: the first page's data comes beside its code. */
export function prefetchDashboard(): void {
  const answer = loadDashboard(null);
  // The photograph that leads is the largest thing on the page. Whoever takes the answer hears of a failure.
  answer.then(
    ({ memories: [lead] }) => lead && preloadImage(lead.previewUrl),
    () => undefined,
  );
  prefetched = { at: Date.now(), answer };
}

function preloadImage(address: string): void {
  const image = new Image();
  image.fetchPriority = 'high';
  image.src = address;
}

/** What the dashboard shows; what was asked for at the start is taken once. */
export function fetchDashboard(signal: AbortSignal): Promise<Dashboard> {
  const early = prefetched;
  prefetched = null;
  return early && Date.now() - early.at < PREFETCH_MAX_AGE_MS ? early.answer : loadDashboard(signal);
}
