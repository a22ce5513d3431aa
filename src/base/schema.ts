import { z } from 'zod';
import { parseCalendarDate } from './calendar-days.ts';
import { cleanText, hasForbiddenCharacter, textLength, textOrNull } from './clean-text.ts';
import { cannotExceed, forbiddenCharacter } from './form-errors.ts';
import { parseInstant } from './instants.ts';
import { parseTimeZone } from './time-zones.ts';

/**
 * Schemas of the values that contracts share, with messages for the user. `name` is the field's name in them. The page
 * loads none of this: its forms have the rules of `form.ts`.
 */

/** A text, cleaned, of at most `max` code points. `error` is the message for a value that is none. */
function cleaned(name: string, max: number, error = `${name} must be text`) {
  const tooLong = cannotExceed(name, max);
  return z
    .string({ error })
    .refine((raw) => !hasForbiddenCharacter(raw), { error: forbiddenCharacter(name), abort: true })
    .transform(cleanText)
    .refine((clean) => textLength(clean) <= tooLong.length, { error: tooLong.message });
}

/** A required text, cleaned, of `min` to `max` code points. */
export function text(name: string, { min = 1, max }: { min?: number; max: number }) {
  return cleaned(name, max, `${name} is required`)
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

/** A text that is kept if it is absent (read as undefined), and cleared by null and by a blank one (read as null). */
export function keptOrClearedText(name: string, max: number) {
  return cleaned(name, max)
    .nullish()
    .transform((clean) => (clean === undefined ? undefined : clean || null));
}

/** An instant that is kept if it is absent (read as undefined), and cleared by null and a blank text (read as null). */
export function keptOrClearedInstant(name: string) {
  const error = notReal(name);
  return z
    .string({ error })
    .nullish()
    .transform((raw) => (raw === undefined ? undefined : textOrNull(raw)))
    .pipe(z.string().transform(parsedBy(parseInstant, error)).nullish());
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

function notReal(name: string): string {
  return `${name} is not a real date and time`;
}

/** A required date-time with an offset, read as milliseconds. */
export function instant(name: string) {
  return z
    .string({ error: `${name} is required` })
    .transform(cleanText)
    .refine((clean) => clean !== '', { error: `${name} is required`, abort: true })
    .transform(parsedBy(parseInstant, notReal(name)));
}

/** An optional instant: absent, null and blank mean null. */
export function optionalInstant(name: string) {
  const error = notReal(name);
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
