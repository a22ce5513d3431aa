import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { idOut, instantOut, optionalText, text } from '../base/schema.ts';
import { CATEGORIES } from './categories.ts';
import { ideaLimits } from './rules.ts';

const categoryValue = z.enum(CATEGORIES.map((category) => category.value));

const dateIdea = z.object({
  id: idOut,
  title: z.string(),
  description: z.string().nullable(),
  category: categoryValue,
  isActive: z.boolean(),
  plannedDatesCount: z.int(),
  lastPlannedDate: instantOut.nullable(),
  hearts: z.object({ mine: z.boolean(), mutual: z.boolean() }),
  createdAt: instantOut,
  updatedAt: instantOut,
});

/** The fields of a new idea, also of one that comes with a date. */
export const ideaFields = {
  title: text('Title', { max: ideaLimits.title }),
  description: optionalText('Description', ideaLimits.description),
  category: z.enum(
    CATEGORIES.map((category) => category.value),
    {
      error: (issue) =>
        issue.input === undefined ? 'Category is required' : 'Please choose one of the eight categories',
    },
  ),
  isActive: z.boolean({ error: 'Active must be true or false' }).nullish(),
};

export type DateIdea = z.output<typeof dateIdea>;

/** The calls for date ideas. */
export const ideaCalls = defineCalls({
  'GET /api/DateIdeas': { summary: 'List all ideas, newest first', reply: z.array(dateIdea) },
  'POST /api/DateIdeas': {
    summary: 'Add an idea, active by default',
    body: z.object(ideaFields),
    reply: dateIdea,
    status: 201,
    idempotent: true,
  },
  'GET /api/DateIdeas/active': { summary: 'List active ideas by title', reply: z.array(dateIdea) },
  'GET /api/DateIdeas/categories': {
    summary: 'The eight categories',
    reply: z.array(z.object({ value: z.string(), name: z.string(), displayName: z.string() })),
  },
  'GET /api/DateIdeas/category/{category}': {
    summary: "List a category's active ideas by title",
    reply: z.array(dateIdea),
  },
  'GET /api/DateIdeas/mutual': {
    summary: 'List the active ideas that both partners have put a heart on, least recently planned first',
    reply: z.array(dateIdea),
  },
  'GET /api/DateIdeas/pick': {
    summary: 'One active idea at random, from the mutual ones if there are any',
    reply: dateIdea.nullable(),
  },
  'GET /api/DateIdeas/{id}': { summary: 'One idea', reply: dateIdea },
  'PUT /api/DateIdeas/{id}': {
    summary: 'Replace an idea; an absent isActive is unchanged',
    body: z.object(ideaFields),
    reply: dateIdea,
    versioned: true,
  },
  'DELETE /api/DateIdeas/{id}': {
    summary: 'Delete an idea; dates planned from it stay',
    reply: null,
    versioned: true,
  },
  'PUT /api/DateIdeas/{id}/heart': {
    summary: 'Put the user’s heart on an idea; the partner learns of it only by a heart of their own',
    reply: dateIdea,
  },
  'DELETE /api/DateIdeas/{id}/heart': { summary: 'Take the user’s heart back', reply: dateIdea },
});
