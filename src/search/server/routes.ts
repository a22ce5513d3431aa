import { searchWords } from '../../base/search-text.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { SearchResult, searchCalls } from '../contract.ts';
import { searchLimits } from '../rules.ts';
import { findDates } from './find-dates.ts';
import { findIdeas } from './find-ideas.ts';
import { findMemories } from './find-memories.ts';

/** The route of the search. Everything is matched as the asker sees it (search.3). */
export function searchRoutes({ db: { read } }: Deps): Routes<typeof searchCalls> {
  return {
    'GET /api/Search': async ({ session, query, now }): Promise<SearchResult> => {
      const words = searchWords(query.q);
      if (words.length === 0) {
        return { ideas: [], plannedDates: [], memories: [], counts: { ideas: 0, plannedDates: 0, memories: 0 } };
      }
      const search = { words, limit: query.limit ?? searchLimits.default, now };
      const [ideas, dates, memories] = await Promise.all([
        findIdeas(read, session, search),
        findDates(read, session, search),
        findMemories(read, session, search),
      ]);
      return {
        ideas: ideas.finds,
        plannedDates: dates.finds,
        memories: memories.finds,
        counts: { ideas: ideas.count, plannedDates: dates.count, memories: memories.count },
      };
    },
  };
}
