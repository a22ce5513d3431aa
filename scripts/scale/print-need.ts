import { type Need, needOf } from './model.ts';

const SIZES = [1_000, 100_000, 10_000_000];

const count = (value: number): string => {
  const rounded = value < 10 ? Number(value.toPrecision(2)) : Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US');
};
const bytes = (value: number): string => {
  const unit =
    value >= 1e15 ? (['PB', 1e15] as const) : value >= 1e12 ? (['TB', 1e12] as const) : (['GB', 1e9] as const);
  return `${count(value / unit[1])} ${unit[0]}`;
};

const ROWS: readonly (readonly [string, (need: Need) => string])[] = [
  ['Requests a second at the peak', (need) => count(need.requestsPerSecond)],
  ['Cores busy at the peak', (need) => count(need.cores)],
  ['Open event streams at the peak', (need) => count(need.openStreams)],
  ['Nodes of 4 cores, at least 2', (need) => count(need.nodes)],
  ['Statements a second', (need) => count(need.statementsPerSecond)],
  ['Commits a second', (need) => count(need.commitsPerSecond)],
  ['Flushes a second of the database’s disks', (need) => count(need.flushesPerSecond)],
  ['Database after 3 years', (need) => bytes(need.databaseBytes)],
  ['Store after 3 years', (need) => bytes(need.storeBytes)],
  ['Files in the store', (need) => count(need.storedFiles)],
  ['Egress a month', (need) => bytes(need.egressBytes)],
  ['PostgreSQL primaries', (need) => count(need.primaries)],
  ['First bottleneck of the database', (need) => need.bottleneck],
];

/** The table of `docs/scale.md`: the needs of three numbers of couples, as Markdown. */
export function printNeeds(): string {
  const needs = SIZES.map(needOf);
  const header = ['', ...needs.map(({ couples }) => `${couples.toLocaleString('en-US')} couples`)];
  const rows = [header, header.map((_, column) => (column === 0 ? '---' : '---:'))];
  for (const [name, format] of ROWS) rows.push([name, ...needs.map(format)]);
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
