import { expect, it } from 'vitest';
import { settleStory } from './settle-story.ts';
import type { Story } from './story.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

/** What an import says about a completed date that was planned for its start. */
function noticesOf(start: string): readonly string[] {
  const at = Date.parse(start);
  const date = {
    id: 'date',
    dateIdeaId: 'idea',
    status: 'Completed',
    plannedDateTime: at,
    endDateTime: null,
    actualStartTime: at,
    actualEndTime: at + 1,
    surprise: null,
  };
  const idea = { id: 'idea', hearts: { mine: false, mutual: false } };
  const story = { partners: [], exportedBy: null, dateIdeas: [idea], plannedDates: [date] };
  const empty = { memories: [], notes: [], leftNotes: [] };
  return settleStory({ ...story, ...empty } as unknown as Story, NOW).notices;
}

it('an import takes a date of long ago without a word, and says if it is before 1900', {
  tags: ['dates.past.2'],
}, () => {
  expect(noticesOf('1900-01-01T00:00:00Z')).toEqual([]);
  expect(noticesOf('1899-12-31T23:59:59Z').join()).toMatch(/cannot be before/);
});
