import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { countMutualNotes } from '../../notes/server/store.ts';
import type { Year } from '../contract.ts';
import { datesToShow, figuresOfYear, startOfYear } from '../year.ts';
import type { PlacedDate } from './store.ts';
import { countNewIdeas, memoryOfEach, readYears } from './year-store.ts';

/** Reads the story of a year; null without a completed date in it (stats.year.2). */
export async function readYear(
  reader: Reader,
  coupleId: CoupleId,
  year: number,
  completed: Promise<readonly PlacedDate[]>,
): Promise<Year | null> {
  const { zone, years } = await readYears(reader, coupleId, completed);
  const dates = years.find((one) => one.year === year)?.dates;
  if (!dates) return null;
  const span = { from: startOfYear(year, zone), until: startOfYear(year + 1, zone) };
  const shown = datesToShow(
    dates.filter(({ memories }) => memories > 0),
    zone,
  );
  const memories = await memoryOfEach(
    reader,
    coupleId,
    shown.map(({ id }) => id),
  );
  return {
    ...figuresOfYear(year, dates, zone),
    newIdeas: await countNewIdeas(reader, coupleId, span),
    mutualNotes: await countMutualNotes(reader, coupleId, span),
    photographs: shown.flatMap(({ id }) => memories.get(id) ?? []).map(toMemory),
  };
}
