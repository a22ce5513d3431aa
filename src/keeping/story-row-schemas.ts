import { z } from 'zod';
import { authLimits, isEmail } from '../auth/rules.ts';
import { parseCalendarDate } from '../base/calendar-days.ts';
import { cleanText } from '../base/clean-text.ts';
import { DATE_FORMATS } from '../base/date-formats.ts';
import { isId } from '../base/ids.ts';
import { optionalText, text, zoneName } from '../base/schema.ts';
import { eachOptionalText } from '../dates/optional-texts.ts';
import { STATUSES } from '../dates/rules.ts';
import { CATEGORIES } from '../ideas/categories.ts';
import { NO_HEARTS } from '../ideas/hearts.ts';
import { ideaLimits } from '../ideas/rules.ts';
import { cleanFileName } from '../memories/file-name.ts';
import { FORMATS, memoryLimits } from '../memories/rules.ts';
import { noteLimits } from '../notes/rules.ts';

/** An instant: ISO in the file, milliseconds here. */
export const storyInstant = z.iso.datetime().transform((iso) => Date.parse(iso));
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();
export const storyId = z.string().refine(isId, { error: 'This is not an id' });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** The largest integer that both databases accept. */
const MAX_INTEGER = 2_147_483_647;
const count = z.int().min(0).max(MAX_INTEGER);
const calendarDate = z.string().refine((day) => parseCalendarDate(day) !== null, { error: 'This is not a date' });

/** Stored for a required text that is missing or invisible. */
const STAND_IN = '…';
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

/** The fields that rows have in common, in a reading. */
function fieldsBy({ longest, textOf, or }: Reading) {
  /**
   * A required text. Older versions accepted one of invisible characters alone, which counts as blank now: it must not keep
   * a story from being imported.
   */
  const required = (name: string, max: number) => {
    const read = (raw: unknown) => {
      if (typeof raw !== 'string') return raw;
      const plain = textOf(raw);
      return plain.trim() !== '' && cleanText(plain) === '' ? STAND_IN : plain;
    };
    return or(z.preprocess(read, text(name, { max: longest(max) })), STAND_IN);
  };
  const optional = (name: string, max: number) => {
    const read = (raw: unknown) => (typeof raw === 'string' ? textOf(raw) : raw);
    return or(z.preprocess(read, optionalText(name, longest(max))), null);
  };
  const instant = or(storyInstant, 0);
  const instantOrNull = or(orNull(storyInstant), null);
  const deletion = { deletedAt: instantOrNull, deletedBy: or(orNull(storyId), null) };
  return { required, optional, instant, instantOrNull, deletion };
}

/** A row of an idea. */
function ideaBy(reading: Reading) {
  const { or } = reading;
  const { required, optional, instant, instantOrNull } = fieldsBy(reading);
  return z.object({
    id: storyId,
    title: required('Title', ideaLimits.title),
    description: optional('Description', ideaLimits.description),
    category: or(z.enum(CATEGORIES.map(({ value }) => value)), CATEGORIES[0].value),
    isActive: or(z.boolean(), true),
    /** The hearts that the partner who exported may know of. Archives of older versions have none. */
    hearts: or(z.object({ mine: z.boolean(), mutual: z.boolean() }).default(NO_HEARTS), NO_HEARTS),
    createdAt: instant,
    updatedAt: instant,
    version: or(count, 1),
    deletedAt: instantOrNull,
  });
}

/** A row of a planned date. */
function plannedDateBy(reading: Reading) {
  const { or } = reading;
  const { optional, instant, instantOrNull, deletion } = fieldsBy(reading);
  return z.object({
    id: storyId,
    /** Null in a surprise of the partner that was not revealed: it has only its time. */
    dateIdeaId: or(orNull(storyId), null),
    status: or(z.enum(STATUSES.map(({ value }) => value)), 'Cancelled'),
    plannedDateTime: instant,
    endDateTime: instantOrNull,
    ...eachOptionalText((_, { label, max }) => optional(label, max)),
    actualStartTime: instantOrNull,
    actualEndTime: instantOrNull,
    createdAt: instant,
    updatedAt: instant,
    version: or(count, 1),
    ...deletion,
    /** Who planned it, and what it is as a surprise. Archives of older versions have neither. */
    plannedBy: or(orNull(storyId).default(null), null),
    surprise: or(orNull(z.object({ mine: z.boolean(), revealed: z.boolean() })).default(null), null),
    /** Whether the exporter wants to look back on it. */
    lookBack: or(z.boolean().default(true), true),
  });
}

/** A row of a memory. */
function memoryBy(reading: Reading) {
  const { largest, or } = reading;
  const { optional, instant, instantOrNull, deletion } = fieldsBy(reading);
  return z
    .object({
      id: storyId,
      plannedDateId: storyId,
      caption: optional('Caption', memoryLimits.caption),
      uploadedAt: instant,
      takenAt: instantOrNull,
      /** What a partner corrected. Archives of older versions have none of it. */
      correctedTakenAt: or(orNull(storyInstant).default(null), null),
      updatedAt: or(orNull(storyInstant).default(null), null),
      version: or(count.default(1), 1),
      fileName: z.string().regex(/^[0-9a-f]{32}\.(jpg|png|gif|webp)$/),
      originalFileName: or(z.string(), ''),
      fileExtension: z.enum(Object.values(FORMATS)),
      fileSizeBytes: count.positive().max(largest),
      sha256,
      width: or(count.positive(), 1),
      height: or(count.positive(), 1),
      thumbHash: or(z.base64().max(100), ''),
      ...deletion,
      dateDeletedAt: instantOrNull,
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
}

/** A partner's note of a date. An export has the notes of the partner who exports, and those that are revealed. */
function noteBy(reading: Reading) {
  const { or } = reading;
  const { required, instant } = fieldsBy(reading);
  return z.object({
    plannedDateId: storyId,
    userId: storyId,
    text: required('Note', noteLimits.text),
    hearts: or(orNull(z.int().min(1).max(noteLimits.hearts)), null),
    writtenAt: instant,
  });
}

/** A row of a partner. */
function partnerBy(reading: Reading) {
  const { longest, isEmail, or } = reading;
  const { required, instant } = fieldsBy(reading);
  return z.object({
    id: storyId,
    email: text('Email', { max: longest(authLimits.email) }).refine(isEmail, { error: 'Email is not an address' }),
    displayName: required('Name', authLimits.displayName),
    formats: or(orNull(z.enum(DATE_FORMATS)).default(null), null),
    createdAt: instant,
  });
}

/** The couple's row. */
function coupleBy(reading: Reading) {
  const { or } = reading;
  const { instant } = fieldsBy(reading);
  return z.object({
    id: storyId,
    togetherSince: or(orNull(calendarDate), null),
    timeZone: or(zoneName('Time zone'), 'UTC'),
    createdAt: instant,
  });
}

/** The schemas of the rows. What has no `or` is required in either reading, because a row can't be stored without it. */
function rowsBy(reading: Reading) {
  const note = noteBy(reading);
  return {
    couple: coupleBy(reading),
    partner: partnerBy(reading),
    dateIdea: ideaBy(reading),
    plannedDate: plannedDateBy(reading),
    memory: memoryBy(reading),
    note,
    /** The opened note of a partner who has left, to the partner who exports. */
    leftNote: note.omit({ userId: true }),
  };
}

/** The schemas of the rows by the rules of the forms. */
export const rowsOfToday = rowsBy(TODAY);
/** The schemas of the rows that an album can hold. */
export const keptRows = rowsBy(KEPT);
