import type { Browser } from 'playwright-core';
import { launchChromium } from '../../tests/support/chromium.ts';
import { addSmallPhotos, type BenchServer, startBenchServer } from './bench-server.ts';
import type { Figure } from './figures-on-both-engines.ts';
import { median } from './median-time.ts';
import { type Visit, visitGallery } from './visit-gallery.ts';

const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 5;

/** The orders that are measured: by upload, and by when it happened. */
const ORDERS = [
  ['gallery of 100,000', '/memories'],
  ['our story of 100,000', '/memories?sort=story-desc'],
] as const;

/** Measures a gallery of 100,000 memories against one of 1,000, in two orders: first photograph, longest task, heap. */
export async function benchGallery(): Promise<Figure[]> {
  const browser = await launchChromium(['--js-flags=--expose-gc']);
  const [few, many] = [await startWithMemories(FEW), await startWithMemories(MANY)];
  try {
    const figures: Figure[] = [];
    for (const [what, path] of ORDERS) figures.push(...figuresOf(what, await visitBoth(browser, path, { few, many })));
    return figures;
  } finally {
    await browser.close();
    await Promise.all([few.stop(), many.stop()]);
  }
}

/** Visits of both galleries in turn, so that changes in machine speed affect both. The first round warms up. */
async function visitBoth(
  browser: Browser,
  path: string,
  { few, many }: { readonly few: BenchServer; readonly many: BenchServer },
): Promise<{ few: Visit; many: Visit }[]> {
  const visits: { few: Visit; many: Visit }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const visit = { few: await visitGallery(browser, few, path), many: await visitGallery(browser, many, path) };
    if (round > 0) visits.push(visit);
  }
  return visits;
}

function figuresOf(what: string, visits: readonly { readonly few: Visit; readonly many: Visit }[]): Figure[] {
  const ratio = (key: keyof Visit) => median(visits.map(({ few, many }) => many[key] / few[key])).toFixed(2);
  const most = (key: keyof Visit) => Math.max(...visits.map(({ many }) => many[key]));
  const middle = (key: keyof Visit) => Math.round(median(visits.map(({ many }) => many[key])));
  return [
    {
      what: `${what} : of 1,000, first photograph`,
      figure: ratio('firstPhoto'),
      goal: `at most 1.20 (${middle('firstPhoto')} ms)`,
    },
    {
      what: `${what} : of 1,000, heap after a visit`,
      figure: ratio('heap'),
      goal: `at most 1.20 (${(middle('heap') / 1e6).toFixed(1)} MB)`,
    },
    { what: `${what} : of 1,000, longest task`, figure: ratio('longestTask'), goal: 'at most 1.20' },
    { what: `${what}: longest task, ms of CPU`, figure: String(middle('longestTask')), goal: 'at most 50' },
    { what: `${what}: most tiles in the DOM`, figure: String(most('tiles')), goal: 'at most 150' },
    { what: `${what}: first response, KB`, figure: (most('responseBytes') / 1024).toFixed(1), goal: 'at most 30' },
  ];
}

async function startWithMemories(count: number): Promise<BenchServer> {
  const server = await startBenchServer();
  await addSmallPhotos(server, 24);
  await server.ask('memories', { count });
  return server;
}
