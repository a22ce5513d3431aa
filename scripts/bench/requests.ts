import { Caller } from '../../tests/support/caller.ts';
import { addIdea, planDateId } from '../../tests/support/factories.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import { upload } from '../../tests/support/upload.ts';
import { type BenchServer, expectStatus, startBenchServer } from './bench-server.ts';
import { type Figure, onBothEngines } from './figures-on-both-engines.ts';
import type { CoupleHistory } from './fill-history.ts';
import { median, medianOf, timeOf } from './median-time.ts';

const ROUNDS = 25;
/** The first rounds run before the code is optimized. */
const WARM_UP = 8;

/** Twenty years of weekly dates. */
const STORY: CoupleHistory = { ideas: 400, dates: 1_000, memories: 20_000 };
const MANY_PHOTOS: CoupleHistory = { ideas: 400, dates: 1_000, memories: 100_000 };
const FEW_PHOTOS: CoupleHistory = { ideas: 10, dates: 10, memories: 100 };

/** What each screen asks for at once, and the most milliseconds until it has all of it. */
const SCREENS: readonly (readonly [what: string, goalMs: number, paths: readonly `/api/${string}`[]])[] = [
  [
    'all statistics',
    60,
    ['', '/time-together', '/dates', '/memories', '/categories', '/favorite-category', '/achievements']
      .concat(['/celebrations', '/records', '/years'])
      .map((part) => `/api/Stats${part}` as const),
  ],
  [
    'the dashboard',
    30,
    [
      '/api/Stats',
      `/api/Stats/year-ago?day=${new Date().toISOString().slice(0, 10)}&timeZone=Europe%2FBerlin`,
      '/api/Stats/celebrations',
      '/api/PlannedDates/next',
      '/api/Memories?count=6',
    ],
  ],
  ['all dates in one list', 60, ['/api/PlannedDates']],
  ['the first page of the memories', 15, ['/api/Memories']],
  ['a search', 50, ['/api/Search?q=way%20water']],
  ['the first page of the memories by size', 15, ['/api/Memories?sort=size']],
];

/**
 * Measures what the screens ask for in a story of 1,000 dates and 20,000 photographs, and what it takes to upload, list
 * and delete a photograph among 100,000 against one among 100, on both databases. Nothing is cached: each round follows
 * a change.
 */
export function benchRequests(): Promise<Figure[]> {
  return onBothEngines(async (engine, env) => {
    const server = await startBenchServer(env);
    try {
      // All are filled first: meanwhile the server closes idle connections, which a later request would try to use.
      const story = await startCouple(server, STORY);
      const couples = [await startCouple(server, MANY_PHOTOS), await startCouple(server, FEW_PHOTOS)] as const;
      return [...(await measureScreens(engine, story)), await measurePhotographs(engine, couples)];
    } finally {
      await server.stop();
    }
  });
}

/** Creates a couple with a history. */
async function startCouple(server: BenchServer, history: CoupleHistory): Promise<Caller> {
  const [[token] = ['']] = await server.ask('couples', { count: 1 });
  await server.ask('history', { token, history });
  return new Caller(server.url, token);
}

async function measureScreens(engine: string, caller: Caller): Promise<Figure[]> {
  const figures: Figure[] = [];
  // There may be no next date, and none of a year ago, which is 204.
  const ask = async (path: string) =>
    expectStatus((await caller.request(`GET ${path as `/${string}`}`)).status, 200, 204);
  for (const [what, goalMs, paths] of SCREENS) {
    const time = await medianOf(ROUNDS, WARM_UP, async () => {
      await addIdea(caller);
      return timeOf(() => Promise.all(paths.map(ask)));
    });
    figures.push({
      what: `${engine}: ${what}, 1,000 dates, 20,000 photographs`,
      figure: `${time.toFixed(1)} ms`,
      goal: `at most ${goalMs} ms`,
    });
  }
  return figures;
}

/** Measures a photograph's upload, the list that it is in, and its deletion, among many and among few in turn. */
async function measurePhotographs(engine: string, couples: readonly [many: Caller, few: Caller]): Promise<Figure> {
  const dates = await Promise.all(couples.map((caller) => planDateId(caller)));
  const ratios: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const times: number[] = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const caller = couples[index] as Caller;
      const photo = await makeJpeg({ seed: round + WARM_UP, width: 1200, height: 900 });
      times[index] = await timeOf(async () => {
        const { body, status } = await upload(caller, photo, { dateId: dates[index] ?? '' });
        expectStatus(status, 201);
        await caller.call('GET /api/Memories');
        expectStatus((await caller.call('DELETE /api/Memories/{id}', { params: { id: body.id } })).status, 204);
      });
    }
    const [many = 0, few = 0] = times;
    if (round >= 0) ratios.push(many / few);
  }
  return {
    what: `${engine}: a photograph uploaded, listed and deleted, of 100,000 : of 100`,
    figure: median(ratios).toFixed(2),
    goal: 'at most 1.20',
  };
}
