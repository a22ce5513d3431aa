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
/** The largest integer that both databases accept. */
const MAX_INTEGER = 2_147_483_647;
const count = z.int().min(0).max(MAX_INTEGER);
const calendarDate = z.string().refine((day) => parseCalendarDate(day) !== null, { error: 'This is not a date' });

/** Stands for a required text that nobody can see. */
const INVISIBLE = '…';
/** Longer than any text of an album. */
const MAX_TEXT = 1_000_000;

/** How strictly the rows are read. */
interface Reading {
  /** The longest text where today's limit is `max`, in code points. */
  readonly longest: (max: number) => number;
  /** The size of the largest photograph, in bytes. */
  readonly largest: number;
  readonly isEmail: (text: string) => boolean;
  /** The text of which a field is read. */
  readonly textOf: (raw: string) => string;
  /** The schema, which may take `instead` for a value that isn't valid. */
  readonly or: <T extends z.ZodType>(schema: T, instead: z.output<T>) => z.ZodType<z.output<T>>;
}

/** By the rules of the forms. */
const TODAY: Reading = {
  longest: (max) => max,
  largest: memoryLimits.fileSizeBytes,
  isEmail,
  textOf: (raw) => raw,
  or: (schema) => schema as never,
};

/** By what an album can hold. Older versions had other rules, and a file may have been changed by hand. */
const KEPT: Reading = {
  longest: () => MAX_TEXT,
  largest: MAX_INTEGER,
  isEmail: () => true,
  textOf: (raw) => raw.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ''),
  or: (schema, instead) => schema.catch(instead as never) as never,
};

/**
 * The schemas of the rows. What they require in either reading is what a row can't be stored without: ids, and the name and
 * hash of a photograph.
 */
function rowsBy({ longest, largest, isEmail, textOf, or }: Reading) {
  /**
   * A required text. Older versions accepted one of invisible characters alone, which counts as blank now: it must not keep
   * a story from being imported.
   */
  const required = (name: string, max: number) => {
    const read = (raw: unknown) => {
      if (typeof raw !== 'string') return raw;
      const plain = textOf(raw);
      return plain.trim() !== '' && cleanText(plain) === '' ? INVISIBLE : plain;
    };
    return or(z.preprocess(read, text(name, { max: longest(max) })), INVISIBLE);
  };
  const optional = (name: string, max: number) => {
    const read = (raw: unknown) => (typeof raw === 'string' ? textOf(raw) : raw);
    return or(z.preprocess(read, optionalText(name, longest(max))), null);
  };
  const some = or(instant, 0);
  const maybe = or(orNull(instant), null);
  const deletion = { deletedAt: maybe, deletedBy: or(orNull(id), null) };
  const dateIdea = z.object({
    id,
    title: required('Title', ideaLimits.title),
    description: optional('Description', ideaLimits.description),
    category: or(z.enum(CATEGORIES.map(({ value }) => value)), CATEGORIES[0].value),
    isActive: or(z.boolean(), true),
    /** The hearts that the partner who exported may know of. Archives of older versions have none. */
    hearts: or(z.object({ mine: z.boolean(), mutual: z.boolean() }).default(NO_HEARTS), NO_HEARTS),
    createdAt: some,
    updatedAt: some,
    version: or(count, 1),
    deletedAt: maybe,
  });
  const plannedDate = z.object({
    id,
    /** Null in a surprise of the partner that was not revealed: it has only its time. */
    dateIdeaId: or(orNull(id), null),
    status: or(z.enum(STATUSES.map(({ value }) => value)), 'Cancelled'),
    plannedDateTime: some,
    endDateTime: maybe,
    location: optional('Location', dateLimits.location),
    notes: optional('Notes', dateLimits.notes),
    actualStartTime: maybe,
    actualEndTime: maybe,
    createdAt: some,
    updatedAt: some,
    version: or(count, 1),
    ...deletion,
    /** Who planned it, and what it is as a surprise. Archives of older versions have neither. */
    plannedBy: or(orNull(id).default(null), null),
    surprise: or(orNull(z.object({ mine: z.boolean(), revealed: z.boolean() })).default(null), null),
  });
  const memory = z
    .object({
      id,
      plannedDateId: id,
      caption: optional('Caption', memoryLimits.caption),
      uploadedAt: some,
      takenAt: maybe,
      fileName: z.string().regex(/^[0-9a-f]{32}\.(jpg|png|gif|webp)$/),
      originalFileName: or(z.string(), ''),
      fileExtension: z.enum(Object.values(FORMATS)),
      fileSizeBytes: count.positive().max(largest),
      sha256,
      width: or(count.positive(), 1),
      height: or(count.positive(), 1),
      thumbHash: or(z.base64().max(100), ''),
      ...deletion,
      dateDeletedAt: maybe,
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
    .transform((one) => ({
      ...one,
      originalFileName: cleanFileName(one.originalFileName, `photo${one.fileExtension}`),
    }));
  /** A partner's note of a date. An export has the notes of the partner who exports, and those that are revealed. */
  const note = z.object({
    plannedDateId: id,
    userId: id,
    text: required('Note', noteLimits.text),
    hearts: or(orNull(z.int().min(1).max(noteLimits.hearts)), null),
    writtenAt: some,
  });
  const partner = z.object({
    id,
    email: text('Email', { max: longest(authLimits.email) }).refine(isEmail, { error: 'Email is not an address' }),
    displayName: required('Name', authLimits.displayName),
    createdAt: some,
  });
  const couple = z.object({
    id,
    togetherSince: or(orNull(calendarDate), null),
    timeZone: or(zoneName('Time zone'), 'UTC'),
    createdAt: some,
  });
  /** The opened note of a partner who has left, to the partner who exports. */
  return { couple, partner, dateIdea, plannedDate, memory, note, leftNote: note.omit({ userId: true }) };
}

const today = rowsBy(TODAY);
const kept = rowsBy(KEPT);

/** The frame of a story. Each row is read by itself. */
const frame = z.object({
  format: z.literal('our-love-story export'),
  version: z.literal(1),
  exportedAt: z.unknown(),
  /** The partner who exported, whose own hearts it has; null in archives of older versions. */
  exportedBy: orNull(id).default(null),
  couple: z.unknown(),
  partners: z.array(z.unknown()).min(1).max(authLimits.partners),
  dateIdeas: z.array(z.unknown()),
  plannedDates: z.array(z.unknown()),
  memories: z.array(z.unknown()),
  /** Archives of older versions have none. */
  notes: z.array(z.unknown()).default([]),
  leftNotes: z.array(z.unknown()).default([]),
});

type Rows = { readonly [Name in keyof typeof today]: z.output<(typeof today)[Name]> };

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
    const strict = today[name].safeParse(value);
    if (strict.success) return strict as z.ZodSafeParseResult<Rows[Name]>;
    const result = kept[name].safeParse(value);
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
    exportedAt: instant.catch(0).parse(exportedAt),
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
