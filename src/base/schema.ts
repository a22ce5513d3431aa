import { z } from 'zod';
import { parseCalendarDate } from './calendar.ts';
import { cannotExceed, forbiddenCharacter } from './form.ts';
import { cleanText, hasForbiddenCharacter, textLength, textOrNull } from './text.ts';
import { parseInstant, parseTimeZone } from './time.ts';

/**
 * Schemas of values that several contracts share. Zod isn't loaded on the page, which imports only types from here and
 * from the contracts.
 */

function cleaned(name: string, max: number) {
  const tooLong = cannotExceed(name, max);
  return z
    .string({ error: `${name} is required` })
    .refine((raw) => !hasForbiddenCharacter(raw), { error: forbiddenCharacter(name), abort: true })
    .transform(cleanText)
    .refine((clean) => textLength(clean) <= tooLong.length, { error: tooLong.message });
}

/** A required text, cleaned, with its length in code points. `name` is the field's name in messages. */
export function text(name: string, { min = 1, max }: { min?: number; max: number }) {
  return cleaned(name, max)
    .refine((clean) => clean !== '', { error: `${name} is required`, abort: true })
    .refine((clean) => textLength(clean) >= min, { error: `${name} must be at least ${min} characters` });
}

/** An optional text. Absent, null and blank all mean null (wire.values.5). */
export function optionalText(name: string, max: number) {
  return cleaned(name, max)
    .nullish()
    .transform((clean) => clean || null);
}

/**
 * A text that is kept if it is absent or null (read as undefined or null) and replaced if it is present (read as
 * `{ text }`, with null for a blank one): the notes of a completion (dates.wire.2).
 */
export function keptOrReplacedText(name: string, max: number) {
  return cleaned(name, max)
    .transform((clean) => ({ text: clean || null }))
    .nullish();
}

/** A text that is kept if it is absent (undefined), and cleared by null or a blank one (null). */
export function clearedText(name: string, max: number) {
  return cleaned(name, max)
    .nullish()
    .transform((clean) => (clean === undefined ? undefined : clean || null));
}

/** An instant that is kept if it is absent (undefined), and cleared by null. */
export function clearedInstant(name: string) {
  return instant(name).nullish();
}

/** Converts a text with a parser; its null is an error with this message. */
function parsedBy<T>(parse: (raw: string) => T | null, message: string) {
  return (raw: string, context: z.RefinementCtx<string>): T => {
    const value = parse(raw);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
}

/** A required date-time with an offset, read as milliseconds. */
export function instant(name: string) {
  return z
    .string({ error: `${name} is required` })
    .transform(cleanText)
    .refine((clean) => clean !== '', { error: `${name} is required`, abort: true })
    .transform(parsedBy(parseInstant, `${name} is not a real date and time`));
}

/** An optional instant: absent, null and blank mean null. */
export function optionalInstant(name: string) {
  const error = `${name} is not a real date and time`;
  return z
    .string({ error })
    .nullish()
    .transform(textOrNull)
    .pipe(z.string().transform(parsedBy(parseInstant, error)).nullable());
}

/** An optional true or false: absent and null mean undefined. */
export function optionalFlag(name: string) {
  return z
    .boolean({ error: `${name} must be true or false` })
    .nullish()
    .transform((flag) => flag ?? undefined);
}

/** An instant in a reply: ISO 8601, UTC, with milliseconds. */
export const instantOut = z.iso.datetime({ precision: 3 });

/** An id in a reply. */
export const idOut = z.uuidv7();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns whether a value has the shape of an id. Other values are answered with 404. */
export function isId(raw: unknown): raw is string {
  return typeof raw === 'string' && ID.test(raw);
}

/** A whole number in a query, from `min` to `max`. */
export function wholeNumber(name: string, min: number, max: number) {
  const message = `${name} must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: message, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: message });
}

/** A required calendar date such as `2026-11-21`. */
export function calendarDay(name: string) {
  return z
    .string({ error: `${name} is required` })
    .transform(parsedBy(parseCalendarDate, `${name} is not a real date`));
}

/** A required IANA time zone, read in the platform's spelling. */
export function zoneName(name: string) {
  return z
    .string({ error: `${name} is required` })
    .transform(parsedBy(parseTimeZone, `${name} must be a valid time zone, such as Europe/Rome`));
}
