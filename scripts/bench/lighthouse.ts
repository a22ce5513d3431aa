import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../../tests/support/chromium.ts';
import { freePorts } from '../../tests/support/daemons.ts';
import { capture, root } from '../lib/tools.ts';
import { type BenchServer, startCoupleServer } from './bench-server.ts';
import type { Figure } from './figure.ts';

/** Not a dependency, because it brings 120 packages: npm fetches it on first use and keeps it in `.cache`. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly displayValue?: string }>>;
}

/** Lighthouse's mobile scores for every screen of a signed-in user, on a first visit. */
export async function benchLighthouse(): Promise<Figure[]> {
  const server = await startCoupleServer();
  const [port = 0] = await freePorts(1);
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-lighthouse-'));
  const headers = JSON.stringify({ Cookie: server.cookie });
  const figures: Figure[] = [];
  try {
    for (const screen of await screensOf(server)) {
      const report = join(folder, 'report.json');
      const { code, output } = await capture('npm', [
        'exec',
        '--yes',
        `--package=${LIGHTHOUSE}`,
        `--cache=${join(root, '.cache/npm')}`,
        '--',
        'lighthouse',
        server.url + screen,
        `--port=${port}`,
        `--extra-headers=${headers}`,
        `--only-categories=${CATEGORIES.join(',')}`,
        '--quiet',
        '--output=json',
        `--output-path=${report}`,
      ]);
      if (code !== 0) throw new Error(output);
      figures.push(figureOf(screen, JSON.parse(await readFile(report, 'utf8')) as Report));
    }
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}

function figureOf(screen: string, { categories, audits }: Report): Figure {
  const scores = CATEGORIES.map((name) => Math.round((categories[name].score ?? 0) * 100));
  const shown = (name: string) => audits[name]?.displayValue ?? '?';
  return {
    what: `Lighthouse ${screen.replace(/[0-9a-f-]{36}/, '{id}')}`,
    figure: scores.join(' '),
    goal: `100 100 100 (largest paint ${shown('largest-contentful-paint')}, blocked ${shown('total-blocking-time')})`,
  };
}

/** The paths of all screens behind the sign-in page, with ids of the demonstration couple's data. */
async function screensOf(server: BenchServer): Promise<string[]> {
  const list = async <T>(path: string) => (await (await server.send('GET', path)).json()) as T[];
  const [idea] = await list<{ id: string }>('/api/DateIdeas/active');
  const dates = await list<{ id: string; status: string }>('/api/PlannedDates');
  const idOfDate = (status: string) => dates.find((date) => date.status === status)?.id;
  return [
    '/dashboard',
    '/date-ideas',
    '/date-ideas/add',
    `/date-ideas/${idea?.id}/edit`,
    `/date-ideas/${idea?.id}/plan`,
    '/planned-dates',
    `/planned-dates/${idOfDate('Completed')}`,
    `/planned-dates/${idOfDate('Planned')}/edit`,
    `/planned-dates/${idOfDate('InProgress')}/complete`,
    '/memories',
    '/memories/upload',
    '/stats',
    '/settings',
  ];
}
