import type { z } from 'zod';
import { SURPRISE_TITLE } from '../dates/surprises.ts';
import { LEFT_AUTHOR } from '../notes/rules.ts';
import type { rowsOfToday } from './story-row-schemas.ts';

/** Each kind of row, as it is read. */
export type StoryRows = { readonly [Name in keyof typeof rowsOfToday]: z.output<(typeof rowsOfToday)[Name]> };

/**
 * `data/story.json` of an export: all of a couple's data that the partner who exports may see, the trash included, without
 * credentials. Instants are milliseconds here, and ISO in the file.
 */
export interface Story {
  readonly format: 'our-love-story export';
  readonly version: 1;
  readonly exportedAt: number;
  readonly exportedBy: string | null;
  readonly couple: StoryRows['couple'];
  readonly partners: readonly StoryRows['partner'][];
  readonly dateIdeas: readonly StoryRows['dateIdea'][];
  readonly plannedDates: readonly StoryRows['plannedDate'][];
  readonly memories: readonly StoryRows['memory'][];
  readonly notes: readonly StoryRows['note'][];
  readonly leftNotes: readonly StoryRows['leftNote'][];
}

export type StoryIdea = StoryRows['dateIdea'];
export type StoryDate = StoryRows['plannedDate'];
export type StoryMemory = StoryRows['memory'];
export type StoryNote = StoryRows['note'];

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
