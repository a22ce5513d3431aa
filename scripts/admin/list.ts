import { type CoupleAccount, listCouples } from '../../src/auth/server/operator/couple-list.ts';
import { formatSize } from '../../src/base/number-texts.ts';
import { readInBatches } from '../../src/base/server/db/read-in-batches.ts';
import { printLine } from '../lib/command.ts';
import type { Stores } from '../lib/stores.ts';
import type { AdminCommand } from './admin-command.ts';
import { type CoupleEntry, readEntries } from './couple-details.ts';

const HEADINGS = ['ID', 'Initials', 'Created', 'Last used', 'Dates', 'Memories', 'Size', 'Quota', 'Suspended'];

/** Lists every couple, one a line. */
export const list: AdminCommand = {
  usage: 'list',
  arguments: 0,
  options: [],
  run: async (stores, { json }) => {
    const entries = await readAll(stores);
    if (json) return printLine(JSON.stringify(entries, null, 2));
    const rows = [HEADINGS, ...entries.map(cellsOf)];
    const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows)
      printLine(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      );
  },
};

async function readAll(stores: Stores): Promise<readonly CoupleEntry[]> {
  const entries: CoupleEntry[] = [];
  for await (const couples of readInBatches<CoupleAccount>((...page) => listCouples(stores.db.read, ...page))) {
    entries.push(...(await readEntries(stores, couples)));
  }
  return entries;
}

function cellsOf(entry: CoupleEntry): readonly string[] {
  const day = (instant: string | null) => instant?.slice(0, 10) ?? '-';
  return [
    entry.id,
    entry.initials,
    day(entry.created),
    day(entry.lastUsed),
    String(entry.dates),
    String(entry.memories),
    formatSize(entry.bytes),
    entry.quota === null ? 'none' : formatSize(entry.quota),
    entry.suspended ? 'yes' : 'no',
  ];
}
