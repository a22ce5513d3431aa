import { startPostgres } from '../../tests/support/postgres.ts';
import { type BenchServer, median, startBenchServer } from './bench-server.ts';
import type { Figure } from './figure.ts';
import type { History } from './fill-history.ts';

const ROUNDS = 25;
/** The first rounds run before the code is optimized. */
const WARM_UP = 5;
const DAY_MS = 86_400_000;

const LARGE: History = { ideas: 500, dates: 10_000, memories: 100_000 };
const SMALL: History = { ideas: 10, dates: 10, memories: 100 };

/** What a screen requests, some of it after the answers to the rest. */
type Screen = (get: (path: string) => Promise<unknown>) => Promise<void>;

const statistics: Screen = async (get) => {
  const parts = ['', '/time-together', '/categories', '/favorite-category', '/achievements', '/records'];
  const answers = await Promise.all(parts.map((part) => get(`/api/Stats${part}`)));
  const { firstDate } = answers.at(-1) as { firstDate: { plannedDateId: string } };
  await get(`/api/PlannedDates/${firstDate.plannedDateId}`);
};

const dashboard: Screen = async (get) => {
  const day = new Date().toISOString().slice(0, 10);
  const [yearAgo] = await Promise.all([
    get(`/api/Stats/year-ago?day=${day}&timeZone=Europe%2FBerlin`),
    ...['/api/Stats', '/api/PlannedDates/next', '/api/Memories?count=6', '/api/Stats/celebrations'].map(get),
  ]);
  const { date } = yearAgo as { date?: { id: string } };
  if (date) await get(`/api/Memories/planned-date/${date.id}?count=7`);
};

/**
 * Measures the statistics, the dashboard and the planning of a date for a couple with 10,000 dates and 100,000 memories
 * against couples with 10 dates or none on the same server, on both databases.
 */
export async function benchHistory(): Promise<Figure[]> {
  const postgres = await startPostgres();
  try {
    const figures: Figure[] = [];
    for (const [engine, env] of [
      ['SQLite', {}],
      ['PostgreSQL', { DATABASE_URL: postgres.url }],
    ] as const) {
      const server = await startBenchServer(env);
      try {
        figures.push(...(await measure(engine, server)));
      } finally {
        await server.stop();
      }
    }
    return figures;
  } finally {
    await postgres.stop();
  }
}

/** Sends a request with a token, and reads its whole answer. */
type Send = (token: string, method: string, path: string, body?: object) => Promise<{ id: string }>;

async function measure(engine: string, server: BenchServer): Promise<Figure[]> {
  const send: Send = async (token, method, path, body) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}`);
    return (text === '' ? {} : JSON.parse(text)) as { id: string };
  };
  const couples = (await (
    await server.send('PUT', '/bench/couples', { count: 2 * (ROUNDS + WARM_UP) + 2 })
  ).json()) as string[][];
  const [[large = ''] = [], [small = ''] = [], ...fresh] = couples;
  for (const [token, history] of [
    [large, LARGE],
    [small, SMALL],
  ] as const) {
    await server.send('PUT', '/bench/history', { token, history });
  }
  return [
    ...(await measureAnswers(engine, `the statistics' answers`, statistics, 30, { send, large, small })),
    ...(await measureAnswers(engine, `the dashboard's answers`, dashboard, 20, { send, large, small })),
    await measurePlans(
      engine,
      send,
      large,
      fresh.map(([token = '']) => token),
    ),
  ];
}

/** Measures answers the first time after a change and again, for the large couple and for the small one in turn. */
async function measureAnswers(
  engine: string,
  what: string,
  screen: Screen,
  goalMs: number,
  { send, large, small }: { send: Send; large: string; small: string },
): Promise<Figure[]> {
  const answerAll = (token: string) => timeOf(() => screen((path) => send(token, 'GET', path)));
  const first: number[] = [];
  const ratios: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const times: number[] = [];
    for (const token of round % 2 === 0 ? [large, small] : [small, large]) {
      await send(token, 'POST', '/api/DateIdeas', { title: 'A change', category: 'Outdoor' });
      const afterChange = await answerAll(token);
      times.push(await answerAll(token));
      if (token === large && round >= 0) first.push(afterChange);
    }
    const [one = 0, other = 0] = times;
    if (round >= 0) ratios.push(round % 2 === 0 ? one / other : other / one);
  }
  return [
    {
      what: `${engine}: ${what} of 10,000 dates, after a change`,
      figure: `${median(first).toFixed(1)} ms`,
      goal: `at most ${goalMs} ms`,
    },
    {
      what: `${engine}: ${what} again, of 10,000 dates : of 10`,
      figure: median(ratios).toFixed(2),
      goal: 'at most 1.20',
    },
  ];
}

/** Measures planning the 10,000th date and later ones against the first date of other couples, in turn. */
async function measurePlans(engine: string, send: Send, large: string, fresh: readonly string[]): Promise<Figure> {
  const plan = async (token: string) => {
    const idea = await send(token, 'POST', '/api/DateIdeas', { title: 'A walk by the river', category: 'Outdoor' });
    const plannedDateTime = new Date(Date.now() + DAY_MS).toISOString();
    return timeOf(() => send(token, 'POST', '/api/PlannedDates', { dateIdeaId: idea.id, plannedDateTime }));
  };
  const ratios: number[] = [];
  for (const [round, token] of fresh.entries()) {
    const [one, other] = round % 2 === 0 ? [large, token] : [token, large];
    const [first, second] = [await plan(one), await plan(other)];
    if (round >= WARM_UP) ratios.push(round % 2 === 0 ? first / second : second / first);
  }
  return {
    what: `${engine}: the 10,000th date planned : the first`,
    figure: median(ratios).toFixed(2),
    goal: 'at most 1.10',
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
