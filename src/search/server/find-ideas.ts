import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { planCounts } from '../../dates/server/plan-counts.ts';
import { compareTitles } from '../../ideas/compare-titles.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { allIdeas } from '../../ideas/server/store.ts';
import { ideaViews } from '../../ideas/server/views.ts';
import { isIdeaMatch } from '../matches.ts';
import type { Finds, SearchRequest } from './finds.ts';

/** Finds the ideas that have all words, by title, and counts them. */
export async function findIdeas(reader: Reader, viewer: Viewer, search: SearchRequest): Promise<Finds<DateIdea>> {
  const { words, limit, now } = search;
  const all = await allIdeas(reader, viewer.coupleId);
  const found = all.filter((idea) => isIdeaMatch(words, idea)).sort(compareTitles);
  const rows = found.slice(0, limit);
  if (rows.length === 0) return { finds: [], count: 0 };
  const finds = await ideaViews(reader, planCounts, viewer, { rows, now, ideaIds: rows.map(({ id }) => id) });
  return { finds, count: found.length };
}
