import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { readLeftOutDates } from '../../dates/server/left-out-dates.ts';
import { toMemory } from '../../memories/server/to-memory.ts';
import { countMutualNotes } from '../../notes/server/store.ts';
import type { Year } from '../contract.ts';
import { datesToShow, figuresOfYear, startOfYear } from '../year.ts';
import type { PlacedDate } from './store.ts';
import { countNewIdeas, memoryOfEach, readYears } from './year-store.ts';

/** Reads the story of a year; null without a completed date in it (stats.year.2). */
export async function readYear(
  reader: Reader,
  viewer: Viewer,
  year: number,
  completed: Promise<readonly PlacedDate[]>,
): Promise<Year | null> {
  const { coupleId } = viewer;
  const { zone, years } = await readYears(reader, coupleId, completed);
  const dates = years.find((one) => one.year === year)?.dates;
  if (!dates) return null;
  const span = { from: startOfYear(year, zone), until: startOfYear(year + 1, zone) };
  const leftOut = await readLeftOutDates(reader, viewer);
  const shown = datesToShow(
    dates.filter(({ id, memories }) => memories > 0 && !leftOut.has(id)),
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
