import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import {
  idOut,
  instant,
  instantOut,
  keptOrReplacedText,
  optionalFlag,
  optionalInstant,
  optionalText,
} from '../base/schema.ts';
import { CATEGORIES } from '../ideas/categories.ts';
import { ideaFields } from '../ideas/contract.ts';
import { eachOptionalText, OPTIONAL_TEXTS } from './optional-texts.ts';
import { STATUSES } from './rules.ts';

const plannedDate = z.object({
  id: idOut,
  status: z.enum(STATUSES.map((status) => status.value)),
  plannedDateTime: instantOut,
  endDateTime: instantOut.nullable(),
  ...eachOptionalText(() => z.string().nullable()),
  actualStartTime: instantOut.nullable(),
  actualEndTime: instantOut.nullable(),
  actualDuration: z.string().nullable(),
  memoryCount: z.int(),
  createdAt: instantOut,
  updatedAt: instantOut,
  /** Null is a date that never was a surprise. */
  surprise: z.object({ mine: z.boolean(), revealed: z.boolean() }).nullable(),
  /** Whether the asker wants to look back on it. */
  lookBack: z.boolean(),
  /** The idea's id and category are null in a surprise of the partner that is not revealed. */
  dateIdea: z.object({
    id: idOut.nullable(),
    title: z.string(),
    description: z.string().nullable(),
    category: z.enum(CATEGORIES.map((category) => category.value)).nullable(),
    plannedDatesCount: z.int(),
    lastPlannedDate: instantOut.nullable(),
  }),
});

export type PlannedDate = z.output<typeof plannedDate>;

const optionalTexts = eachOptionalText((_, { label, max }) => optionalText(label, max));

/** What happened on a date. */
const record = {
  actualStartTime: instant('Start time'),
  actualEndTime: instant('End time'),
  ...optionalTexts,
};

/** The calls for planned dates. Instants are text on the wire and are parsed to milliseconds. */
export const dateCalls = defineCalls({
  'GET /api/PlannedDates': { summary: 'List all planned dates, latest first', reply: z.array(plannedDate) },
  'POST /api/PlannedDates': {
    summary: 'Plan a date from an active idea',
    body: z.object({
      dateIdeaId: z.string({ error: 'Date idea is required' }),
      plannedDateTime: instant('Date and time'),
      endDateTime: optionalInstant('End time'),
      ...eachOptionalText((_, { label, planMax }) => optionalText(label, planMax)),
      surprise: optionalFlag('Surprise'),
    }),
    reply: plannedDate,
    status: 201,
    idempotent: true,
  },
  'POST /api/PlannedDates/past': {
    summary: 'Add a date that has happened, of one of our ideas or with a new one',
    body: z
      .object({
        dateIdeaId: z.string({ error: 'Date idea is not an id' }).nullish(),
        idea: z.object(ideaFields).nullish(),
        ...record,
      })
      .refine(({ dateIdeaId, idea }) => Boolean(dateIdeaId) !== Boolean(idea), {
        error: 'Please send either dateIdeaId or idea',
        path: ['dateIdeaId'],
      }),
    reply: plannedDate,
    status: 201,
    idempotent: true,
  },
  'GET /api/PlannedDates/upcoming': {
    summary: 'List planned dates that are not past, soonest first',
    reply: z.array(plannedDate),
  },
  'GET /api/PlannedDates/completed': { summary: 'List completed dates, latest first', reply: z.array(plannedDate) },
  'GET /api/PlannedDates/in-progress': { summary: 'List dates in progress, latest first', reply: z.array(plannedDate) },
  'GET /api/PlannedDates/next': { summary: 'The next upcoming date, or null', reply: plannedDate.nullable() },
  'GET /api/PlannedDates/statuses': {
    summary: 'The four statuses',
    reply: z.array(z.object({ value: z.string(), name: z.string(), displayName: z.string() })),
  },
  'GET /api/PlannedDates/{id}': { summary: 'One planned date', reply: plannedDate },
  'PUT /api/PlannedDates/{id}': {
    summary: 'Replace times and texts; its planner also makes it a surprise, or reveals it',
    body: z.object({
      plannedDateTime: instant('Date and time'),
      endDateTime: optionalInstant('End time'),
      ...optionalTexts,
      surprise: optionalFlag('Surprise'),
    }),
    reply: plannedDate,
    versioned: true,
  },
  'PUT /api/PlannedDates/{id}/record': {
    summary: 'Correct what a completed date says happened',
    body: z.object(record),
    reply: plannedDate,
    versioned: true,
  },
  'PUT /api/PlannedDates/{id}/look-back': {
    summary: 'Whether the year ago and the photographs of a year show this date to the asker',
    body: z.object({ shown: z.boolean({ error: 'shown must be true or false' }) }),
    reply: plannedDate,
  },
  'DELETE /api/PlannedDates/{id}': {
    summary: 'Move a planned date and its memories to the trash',
    reply: null,
    versioned: true,
  },
  'POST /api/PlannedDates/{id}/start': { summary: 'Start a planned date', reply: plannedDate, versioned: true },
  'POST /api/PlannedDates/{id}/complete': {
    summary: 'Complete a date that is in progress',
    body: z.object({
      actualEndTime: instant('End time'),
      actualStartTime: optionalInstant('Start time'),
      notes: keptOrReplacedText('Notes', OPTIONAL_TEXTS.notes.max),
    }),
    reply: plannedDate,
    versioned: true,
  },
  'POST /api/PlannedDates/{id}/went': {
    summary: "Complete a planned date whose time has passed, in one step ('We went!')",
    body: z.object({
      actualStartTime: optionalInstant('Start time'),
      actualEndTime: optionalInstant('End time'),
      notes: keptOrReplacedText('Notes', OPTIONAL_TEXTS.notes.max),
    }),
    reply: plannedDate,
    versioned: true,
  },
  'POST /api/PlannedDates/{id}/went/undo': {
    summary: "Undo 'We went!', for a minute, by the same user",
    reply: plannedDate,
    versioned: true,
  },
  'POST /api/PlannedDates/{id}/cancel': { summary: 'Cancel a planned date', reply: plannedDate, versioned: true },
  'GET /api/PlannedDates/{id}/calendar': {
    summary: 'One planned date as a calendar entry',
    produces: 'text/calendar',
    reply: z.string(),
  },
  'GET /api/calendar': {
    summary: "When the user's calendar link was created; null without one",
    reply: z.object({ createdAt: instantOut.nullable() }),
  },
  'POST /api/calendar': {
    summary: 'Create a secret calendar link; it replaces the previous one',
    reply: z.object({ url: z.string(), createdAt: instantOut }),
    status: 201,
  },
  'DELETE /api/calendar': { summary: "Revoke the user's calendar link", reply: null },
  'GET /api/calendar/{secret}.ics': {
    summary: "The couple's planned dates as a calendar, for anyone with the link",
    access: 'public',
    produces: 'text/calendar',
    reply: z.string(),
  },
});
