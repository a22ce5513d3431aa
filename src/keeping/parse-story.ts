import { z } from 'zod';
import { authLimits } from '../auth/rules.ts';
import type { Story, StoryRows } from './story.ts';
import { keptRows, orNull, rowsOfToday, storyId, storyInstant } from './story-row-schemas.ts';

/** The frame of a story. Each row is read by itself. */
const frame = z.object({
  format: z.literal('our-love-story export'),
  version: z.literal(1),
  exportedAt: z.unknown(),
  /** The partner who exported, whose own hearts it has; null in archives of older versions. */
  exportedBy: orNull(storyId).default(null),
  couple: z.unknown(),
  partners: z.array(z.unknown()).min(1).max(authLimits.partners),
  dateIdeas: z.array(z.unknown()),
  plannedDates: z.array(z.unknown()),
  memories: z.array(z.unknown()),
  /** Archives of older versions have none. */
  notes: z.array(z.unknown()).default([]),
  leftNotes: z.array(z.unknown()).default([]),
});

/** A story as it was read, with a sentence on each row that the rules of today would refuse. */
export interface ReadStory {
  readonly story: Story;
  readonly notices: readonly string[];
}

/**
 * Reads `data/story.json` row by row. A text, a time or another value that the rules of today refuse keeps no row out: what
 * can be stored is taken as it is, and the rest of the row without it. Only a row that can't be stored is left out.
 * @param now milliseconds; when the story was exported if it doesn't say so itself
 * @throws ZodError if it is no story, or a partner or the couple can't be stored
 */
export function parseStory(raw: unknown, now: number): ReadStory {
  const { exportedAt, couple, partners, dateIdeas, plannedDates, memories, notes, leftNotes, ...rest } =
    frame.parse(raw);
  const notices: string[] = [];
  const read = <Name extends keyof StoryRows>(
    name: Name,
    place: string,
    value: unknown,
  ): z.ZodSafeParseResult<StoryRows[Name]> => {
    const strict = rowsOfToday[name].safeParse(value);
    if (strict.success) return strict as z.ZodSafeParseResult<StoryRows[Name]>;
    const result = keptRows[name].safeParse(value);
    const what = result.success ? 'It is imported as far as it can be stored.' : 'It is not imported.';
    notices.push(`${place}: ${faultsOf(strict.error)}. ${what}`);
    return result as z.ZodSafeParseResult<StoryRows[Name]>;
  };
  const one = <Name extends keyof StoryRows>(name: Name, place: string, value: unknown): StoryRows[Name] => {
    const result = read(name, place, value);
    if (result.success) return result.data;
    throw new z.ZodError(result.error.issues.map((issue) => ({ ...issue, path: [place, ...issue.path] })));
  };
  const all = <Name extends keyof StoryRows>(
    name: Name,
    place: string,
    values: readonly unknown[],
  ): StoryRows[Name][] =>
    values.flatMap((value, index) => {
      const result = read(name, `${place}.${index}`, value);
      return result.success ? [result.data] : [];
    });
  const exported = storyInstant.safeParse(exportedAt);
  if (!exported.success) notices.push('exportedAt: This is not a time. The time of the import is taken for it.');
  const story: Story = {
    ...rest,
    exportedAt: exported.data ?? now,
    couple: one('couple', 'couple', couple),
    partners: partners.map((partner, index) => one('partner', `partners.${index}`, partner)),
    dateIdeas: all('dateIdea', 'dateIdeas', dateIdeas),
    plannedDates: all('plannedDate', 'plannedDates', plannedDates),
    memories: all('memory', 'memories', memories),
    notes: all('note', 'notes', notes),
    leftNotes: all('leftNote', 'leftNotes', leftNotes),
  };
  return { story, notices };
}

/** The faults of a row in one line. */
function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
}
