import { searchWords } from '../../base/search-text.ts';
import type { Routes } from '../../base/server/calls/route.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { planCounts } from '../../dates/server/plan-counts.ts';
import { readAsVisible } from '../../dates/server/surprise-store.ts';
import { viewsOf } from '../../dates/server/views.ts';
import { allDates } from '../../dates/server/visible-dates.ts';
import type { VisibleDate } from '../../dates/surprises.ts';
import { compareTitles } from '../../ideas/rules.ts';
import { allIdeas } from '../../ideas/server/store.ts';
import { ideaViews } from '../../ideas/server/views.ts';
import { dateMemories } from '../../memories/server/date-memories.ts';
import { toMemory } from '../../memories/server/memory.ts';
import type { SearchResult, searchCalls } from '../contract.ts';
import { isDateMatch, isIdeaMatch, searchLimits } from '../rules.ts';
import { findMemories, readableNotes } from './search-store.ts';

interface Search {
  /** Folded; at least one. */
  readonly words: readonly string[];
  readonly limit: number;
  readonly now: number;
}

/** The route of the search. Everything is matched as the asker sees it (search.3). */
export function searchRoutes({ db: { read } }: Deps): Routes<typeof searchCalls> {
  const searchIdeas = async (viewer: Viewer, { words, limit, now }: Search) => {
    const all = await allIdeas(read, viewer.coupleId);
    const found = all.filter((idea) => isIdeaMatch(words, idea)).sort(compareTitles);
    const rows = found.slice(0, limit);
    const things =
      rows.length === 0
        ? []
        : await ideaViews(read, planCounts, viewer, { rows, now, ideaIds: rows.map(({ id }) => id) });
    return { things, count: found.length };
  };

  const searchDates = async (viewer: Viewer, { words, limit, now }: Search) => {
    const notes = await readableNotes(read, viewer);
    let count = 0;
    const readRows = async () => {
      const all = await allDates(read, viewer, now);
      const found = all.filter((date: VisibleDate) => isDateMatch(words, date, notes.get(date.id) ?? []));
      count = found.length;
      return found.slice(0, limit);
    };
    const things = await viewsOf(read, dateMemories, viewer, { readRows, now });
    return { things, count };
  };

  const searchMemories = async (viewer: Viewer, { words, limit, now }: Search) => {
    const { rows, count } = await readAsVisible(read, viewer, now, (visibility) =>
      findMemories(read, visibility, { words, limit }),
    );
    return { things: rows.map(toMemory), count };
  };

  return {
    'GET /api/Search': async ({ session, query, now }): Promise<SearchResult> => {
      const words = searchWords(query.q);
      if (words.length === 0) {
        return { ideas: [], plannedDates: [], memories: [], counts: { ideas: 0, plannedDates: 0, memories: 0 } };
      }
      const search = { words, limit: query.limit ?? searchLimits.default, now };
      const [ideas, dates, memories] = await Promise.all([
        searchIdeas(session, search),
        searchDates(session, search),
        searchMemories(session, search),
      ]);
      return {
        ideas: ideas.things,
        plannedDates: dates.things,
        memories: memories.things,
        counts: { ideas: ideas.count, plannedDates: dates.count, memories: memories.count },
      };
    },
  };
}
