import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut, optionalText, text } from '../base/schema.ts';
import { CATEGORIES, ideaLimits } from './rules.ts';

const categoryValue = z.enum(CATEGORIES.map((category) => category.value));

const dateIdea = z.object({
  id: idOut,
  title: z.string(),
  description: z.string().nullable(),
  category: categoryValue,
  isActive: z.boolean(),
  plannedDatesCount: z.int(),
  lastPlannedDate: instantOut.nullable(),
  createdAt: instantOut,
  updatedAt: instantOut,
});

const fields = {
  title: text('Title', { max: ideaLimits.title }),
  description: optionalText('Description', ideaLimits.description),
  category: z.enum(
    CATEGORIES.map((category) => category.value),
    { error: (issue) => (issue.input === undefined ? 'Category is required' : 'Category is none of ours') },
  ),
  isActive: z.boolean({ error: 'Active must be true or false' }).nullish(),
};

export type DateIdea = z.output<typeof dateIdea>;

/** Date ideas (spec 7, contract 3). */
export const ideaCalls = calls({
  'GET /api/DateIdeas': { summary: 'All ideas, newest first', reply: z.array(dateIdea) },
  'POST /api/DateIdeas': {
    summary: 'Add an idea; active unless it says otherwise',
    body: z.object(fields),
    reply: dateIdea,
    status: 201,
    idempotent: true,
  },
  'GET /api/DateIdeas/active': { summary: 'Active ideas by title', reply: z.array(dateIdea) },
  'GET /api/DateIdeas/categories': {
    summary: 'The eight categories',
    reply: z.array(z.object({ value: z.string(), name: z.string(), displayName: z.string() })),
  },
  'GET /api/DateIdeas/category/{category}': { summary: "A category's active ideas by title", reply: z.array(dateIdea) },
  'GET /api/DateIdeas/{id}': { summary: 'One idea', reply: dateIdea },
  'PUT /api/DateIdeas/{id}': {
    summary: 'Replace an idea; an absent isActive stays',
    body: z.object(fields),
    reply: dateIdea,
    versioned: true,
  },
  'DELETE /api/DateIdeas/{id}': {
    summary: 'Take an idea out of every list; dates planned from it stay',
    reply: null,
    versioned: true,
  },
});
