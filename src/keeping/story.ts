import { z } from 'zod';
import { authLimits } from '../auth/rules.ts';
import { SURPRISE_TITLE } from '../dates/surprises.ts';
import { LEFT_AUTHOR } from '../notes/rules.ts';
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

type Rows = { readonly [Name in keyof typeof rowsOfToday]: z.output<(typeof rowsOfToday)[Name]> };

/**
 * `data/story.json` of an export: all of a couple's data that the partner who exports may see, the trash included, without
 * credentials. Instants are milliseconds here, and ISO in the file.
 */
export interface Story {
  readonly format: 'our-love-story export';
  readonly version: 1;
  readonly exportedAt: number;
  readonly exportedBy: string | null;
  readonly couple: Rows['couple'];
  readonly partners: readonly Rows['partner'][];
  readonly dateIdeas: readonly Rows['dateIdea'][];
  readonly plannedDates: readonly Rows['plannedDate'][];
  readonly memories: readonly Rows['memory'][];
  readonly notes: readonly Rows['note'][];
  readonly leftNotes: readonly Rows['leftNote'][];
}

/** A story as it was read, with a sentence on each row that the rules of today would refuse. */
export interface ReadStory {
  readonly story: Story;
  readonly notices: readonly string[];
}

/**
 * Reads `data/story.json` row by row. A text, a time or another value that the rules of today refuse keeps no row out: what
 * can be stored is taken as it is, and the rest of the row without it. Only a row that can't be stored is left out.
 * @throws ZodError if it is no story, or a partner or the couple can't be stored
 */
export function parseStory(raw: unknown): ReadStory {
  const { exportedAt, couple, partners, dateIdeas, plannedDates, memories, notes, leftNotes, ...rest } =
    frame.parse(raw);
  const notices: string[] = [];
  const read = <Name extends keyof Rows>(
    name: Name,
    place: string,
    value: unknown,
  ): z.ZodSafeParseResult<Rows[Name]> => {
    const strict = rowsOfToday[name].safeParse(value);
    if (strict.success) return strict as z.ZodSafeParseResult<Rows[Name]>;
    const result = keptRows[name].safeParse(value);
    const what = result.success ? 'It is imported as far as it can be stored.' : 'It is not imported.';
    notices.push(`${place}: ${faultsOf(strict.error)}. ${what}`);
    return result as z.ZodSafeParseResult<Rows[Name]>;
  };
  const one = <Name extends keyof Rows>(name: Name, place: string, value: unknown): Rows[Name] => {
    const result = read(name, place, value);
    if (result.success) return result.data;
    throw new z.ZodError(result.error.issues.map((issue) => ({ ...issue, path: [place, ...issue.path] })));
  };
  const all = <Name extends keyof Rows>(name: Name, place: string, values: readonly unknown[]): Rows[Name][] =>
    values.flatMap((value, index) => {
      const result = read(name, `${place}.${index}`, value);
      return result.success ? [result.data] : [];
    });
  const story: Story = {
    ...rest,
    exportedAt: storyInstant.catch(0).parse(exportedAt),
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

/** The title of a date by the titles of the ideas; undefined if its idea is missing. */
export function titleOfDate({ dateIdeaId }: StoryDate, titles: ReadonlyMap<string, string>): string | undefined {
  return dateIdeaId === null ? SURPRISE_TITLE : titles.get(dateIdeaId);
}

/** All notes of a story with the name of their writer. */
export function namedNotes({ partners, notes, leftNotes }: Story): (Omit<StoryNote, 'userId'> & { by: string })[] {
  const names = new Map(partners.map(({ id, displayName }) => [id, displayName]));
  return [
    ...notes.map(({ userId, ...note }) => ({ ...note, by: names.get(userId) ?? '' })),
    ...leftNotes.map((note) => ({ ...note, by: LEFT_AUTHOR })),
  ];
}

export type StoryIdea = Rows['dateIdea'];
export type StoryDate = Rows['plannedDate'];
export type StoryMemory = Rows['memory'];
export type StoryNote = Rows['note'];
