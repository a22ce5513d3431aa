import { z } from 'zod';
import { authLimits, isEmail } from '../auth/rules.ts';
import { parseCalendarDate } from '../base/calendar.ts';
import { isId, optionalText, text, zoneName } from '../base/schema.ts';
import { cleanText } from '../base/text.ts';
import { dateLimits, STATUSES } from '../dates/rules.ts';
import { SURPRISE_TITLE } from '../dates/surprises.ts';
import { NO_HEARTS } from '../ideas/hearts.ts';
import { CATEGORIES, ideaLimits } from '../ideas/rules.ts';
import { cleanFileName } from '../memories/file-name.ts';
import { FORMATS, memoryLimits } from '../memories/rules.ts';
import { LEFT_AUTHOR, noteLimits } from '../notes/rules.ts';

const instant = z.iso.datetime().transform((iso) => Date.parse(iso));
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();
const id = z.string().refine(isId, { error: 'This is not an id' });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** An integer that both databases accept. */
const count = z.int().min(0).max(2_147_483_647);
const calendarDate = z.string().refine((day) => parseCalendarDate(day) !== null, { error: 'This is not a date' });

/** Stands for a required text that nobody can see. */
const INVISIBLE = '…';

/**
 * A required text. Older versions accepted one of invisible characters alone, which counts as blank now: it must not keep a
 * story from being imported.
 */
function requiredText(name: string, max: number) {
  const isInvisible = (raw: unknown) => typeof raw === 'string' && raw.trim() !== '' && cleanText(raw) === '';
  return z.preprocess((raw) => (isInvisible(raw) ? INVISIBLE : raw), text(name, { max }));
}

const partner = z.object({
  id,
  email: text('Email', { max: authLimits.email }).refine(isEmail, { error: 'Email is not an address' }),
  displayName: requiredText('Name', authLimits.displayName),
  createdAt: instant,
});

const dateIdea = z.object({
  id,
  title: requiredText('Title', ideaLimits.title),
  description: optionalText('Description', ideaLimits.description),
  category: z.enum(CATEGORIES.map(({ value }) => value)),
  isActive: z.boolean(),
  /** The hearts that the partner who exported may know of. Archives of older versions have none. */
  hearts: z.object({ mine: z.boolean(), mutual: z.boolean() }).default(NO_HEARTS),
  createdAt: instant,
  updatedAt: instant,
  version: count,
  deletedAt: orNull(instant),
});

const plannedDate = z.object({
  id,
  /** Null in a surprise of the partner that was not revealed: it has only its time. */
  dateIdeaId: orNull(id),
  status: z.enum(STATUSES.map(({ value }) => value)),
  plannedDateTime: instant,
  endDateTime: orNull(instant),
  location: optionalText('Location', dateLimits.location),
  notes: optionalText('Notes', dateLimits.notes),
  actualStartTime: orNull(instant),
  actualEndTime: orNull(instant),
  createdAt: instant,
  updatedAt: instant,
  version: count,
  deletedAt: orNull(instant),
  deletedBy: orNull(id),
  /** Who planned it, and what it is as a surprise. Archives of older versions have neither. */
  plannedBy: orNull(id).default(null),
  surprise: orNull(z.object({ mine: z.boolean(), revealed: z.boolean() })).default(null),
});

const memory = z
  .object({
    id,
    plannedDateId: id,
    caption: optionalText('Caption', memoryLimits.caption),
    uploadedAt: instant,
    takenAt: orNull(instant),
    fileName: z.string().regex(/^[0-9a-f]{32}\.(jpg|png|gif|webp)$/),
    originalFileName: z.string(),
    fileExtension: z.enum(Object.values(FORMATS)),
    fileSizeBytes: z.int().positive().max(memoryLimits.fileSizeBytes),
    sha256,
    width: count.positive(),
    height: count.positive(),
    thumbHash: z.base64().max(100),
    deletedAt: orNull(instant),
    deletedBy: orNull(id),
    dateDeletedAt: orNull(instant),
    /** Path of the original in the archive; null if the server had lost it. */
    file: orNull(z.string()),
    /**
     * Size and hash of the file in the archive, if it differs from the upload (`fileSizeBytes`, `sha256`); null if it
     * is the original. Archives of older versions left changed files out.
     */
    changed: orNull(z.object({ bytes: z.int().min(0), sha256 })).default(null),
  })
  .refine(({ fileName, fileExtension }) => fileName.endsWith(fileExtension), {
    error: 'The file name has a different type',
  })
  .transform((one) => ({ ...one, originalFileName: cleanFileName(one.originalFileName, `photo${one.fileExtension}`) }));

/** A partner's note of a date. An export has the own notes of the partner who exports, and those that are revealed. */
const note = z.object({
  plannedDateId: id,
  userId: id,
  text: requiredText('Note', noteLimits.text),
  hearts: orNull(z.int().min(1).max(noteLimits.hearts)),
  writtenAt: instant,
});

/**
 * `data/story.json` of an export: all of a couple's data that the partner who exports may see, the trash included, without
 * credentials. Instants are ISO. Texts,
 * zones and limits follow the rules of the forms, so an import accepts only what the app would accept.
 */
export const story = z.object({
  format: z.literal('our-love-story export'),
  version: z.literal(1),
  exportedAt: instant,
  /** The partner who exported, whose own hearts it has; null in archives of older versions. */
  exportedBy: orNull(id).default(null),
  couple: z.object({ id, togetherSince: orNull(calendarDate), timeZone: zoneName('Time zone'), createdAt: instant }),
  partners: z.array(partner).min(1).max(authLimits.partners),
  dateIdeas: z.array(dateIdea),
  plannedDates: z.array(plannedDate),
  memories: z.array(memory),
  /** Archives of older versions have none. */
  notes: z.array(note).default([]),
  /** The opened notes of partners who have left, to the partner who exports. Archives of older versions have none. */
  leftNotes: z.array(note.omit({ userId: true })).default([]),
});

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

export type Story = z.output<typeof story>;
export type StoryDate = Story['plannedDates'][number];
export type StoryMemory = Story['memories'][number];
type StoryNote = Story['notes'][number];
