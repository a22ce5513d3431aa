import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { instantOut, text } from '../base/schema.ts';
import { HEARTS_ERROR, noteLimits } from './rules.ts';

const hearts = z.int({ error: HEARTS_ERROR }).min(1, HEARTS_ERROR).max(noteLimits.hearts, HEARTS_ERROR);

const note = z.object({ text: z.string(), hearts: hearts.nullable(), writtenAt: instantOut });

const notesOfDate = z.object({
  mine: note.nullable(),
  /** Null until `revealed`, and for a partner who joined after it. */
  theirs: note.extend({ authorLeft: z.literal(true).optional() }).nullable(),
  theirsWritten: z.boolean(),
  revealed: z.boolean(),
});

/** A note as its readers see it. */
export type Note = z.output<typeof note>;
/** The two notes of a date, as one partner sees them. */
export type NotesOfDate = z.output<typeof notesOfDate>;

/** The calls for the two notes of a date. */
export const noteCalls = defineCalls({
  'GET /api/PlannedDates/{id}/notes': {
    summary: "The user's note of a date, and the partner's once both have written",
    reply: notesOfDate,
  },
  'PUT /api/PlannedDates/{id}/notes/mine': {
    summary: "Write or change the user's note of a completed date, until both have written",
    body: z.object({
      text: text('Note', { max: noteLimits.text }),
      hearts: hearts.nullish().transform((value) => value ?? null),
    }),
    reply: notesOfDate,
  },
  'DELETE /api/PlannedDates/{id}/notes/mine': {
    summary: "Take the user's note of a date back, until both have written",
    reply: null,
  },
});
