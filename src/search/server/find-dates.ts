import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { viewsOf } from '../../dates/server/views.ts';
import { allDates } from '../../dates/server/visible-dates.ts';
import { memoriesPort } from '../../memories/server/memories-port.ts';
import { isDateMatch } from '../matches.ts';
import type { Finds, SearchRequest } from './finds.ts';
import { readableNotes } from './readable-notes.ts';

/** Finds the dates that have all words, in their texts or in a note that the viewer may read, and counts them. */
export async function findDates(reader: Reader, viewer: Viewer, search: SearchRequest): Promise<Finds<PlannedDate>> {
  const { words, limit, now } = search;
  const notes = await readableNotes(reader, viewer);
  let count = 0;
  const readRows = async () => {
    const all = await allDates(reader, viewer, now);
    const found = all.filter((date) => isDateMatch(words, date, notes.get(date.id) ?? []));
    count = found.length;
    return found.slice(0, limit);
  };
  const finds = await viewsOf(reader, memoriesPort, viewer, { readRows, now });
  return { finds, count };
}
