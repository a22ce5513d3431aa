import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { text, wholeNumber } from '../base/schema.ts';
import { dateCalls } from '../dates/contract.ts';
import { ideaCalls } from '../ideas/contract.ts';
import { memoryCalls } from '../memories/contract.ts';
import { searchLimits } from './rules.ts';

const found = z.object({
  ideas: ideaCalls['GET /api/DateIdeas'].reply,
  plannedDates: dateCalls['GET /api/PlannedDates'].reply,
  memories: memoryCalls['GET /api/Memories'].reply,
  /** How many there are of each kind, also beyond the limit. */
  counts: z.object({ ideas: z.int(), plannedDates: z.int(), memories: z.int() }),
});

export type SearchResult = z.output<typeof found>;

/** The search. */
export const searchCalls = defineCalls({
  'GET /api/Search': {
    summary: 'Ideas, planned dates and memories in whose texts every word of q occurs; limit holds for each kind',
    query: z.object({
      q: text('q', { max: searchLimits.query }),
      limit: wholeNumber('limit', 1, searchLimits.max).optional(),
    }),
    reply: found,
  },
});
