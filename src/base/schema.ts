import { z } from 'zod';
import { parseCalendarDate } from './calendar.ts';
import { cleanText, hasForbiddenCharacter, textLength } from './text.ts';
import { parseInstant, parseTimeZone } from './time.ts';

/**
 * The kinds of value that several contracts share. Zod lives here and in the contracts only; the page imports their
 * types.
 */

const FORBIDDEN = 'contains a character we can’t save';

function cleaned(name: string) {
  return z
    .string({ error: `${name} is required` })
    .refine((raw) => !hasForbiddenCharacter(raw), { error: `${name} ${FORBIDDEN}`, abort: true })
    .transform(cleanText);
}

/** A text that must be there, cleaned, its length counted in code points. `name` is what its messages call it. */
export function text(name: string, { min = 1, max }: { min?: number; max: number }) {
  return cleaned(name)
    .refine((clean) => clean !== '', { error: `${name} is required`, abort: true })
    .refine((clean) => textLength(clean) >= min, { error: `${name} must be at least ${min} characters` })
    .refine((clean) => textLength(clean) <= max, { error: `${name} cannot exceed ${max} characters` });
}

/** A text that may be absent, null or blank: all three mean null (contract 1). */
export function optionalText(name: string, max: number) {
  return cleaned(name)
    .refine((clean) => textLength(clean) <= max, { error: `${name} cannot exceed ${max} characters` })
    .transform((clean) => (clean === '' ? null : clean))
    .nullish()
    .transform((value) => value ?? null);
}

/**
 * A text that stays as it was where it is absent or null (read as null or undefined), and is replaced where it is
 * there (read as `{ text }`), a blank one by nothing: the notes of a completion (contract 3).
 */
export function keptOrReplacedText(name: string, max: number) {
  return cleaned(name)
    .refine((clean) => textLength(clean) <= max, { error: `${name} cannot exceed ${max} characters` })
    .transform((clean) => ({ text: clean === '' ? null : clean }))
    .nullish();
}

/** A date-time with an offset; read as milliseconds. */
export function instant(name: string) {
  return z.string({ error: `${name} is required` }).transform((raw, context) => {
    const clean = cleanText(raw);
    const ms = parseInstant(clean);
    if (ms !== null) return ms;
    context.addIssue({
      code: 'custom',
      message: clean === '' ? `${name} is required` : `${name} is not a real date and time`,
    });
    return z.NEVER;
  });
}

/** An instant that may be absent, null or blank. */
export function optionalInstant(name: string) {
  return z
    .string({ error: `${name} is not a real date and time` })
    .nullish()
    .transform((raw, context) => {
      const clean = cleanText(raw ?? '');
      if (clean === '') return null;
      const ms = parseInstant(clean);
      if (ms !== null) return ms;
      context.addIssue({ code: 'custom', message: `${name} is not a real date and time` });
      return z.NEVER;
    });
}

/** An instant in an answer: ISO 8601, UTC, with milliseconds. */
export const instantOut = z.iso.datetime({ precision: 3 });

/** An id in an answer. */
export const idOut = z.uuidv7();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text has the shape of an id; one that has not is simply not found (contract 1). */
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

/** A calendar day that must be there, `2026-11-21`. */
export function calendarDay(name: string) {
  return z.string({ error: `${name} is required` }).transform((raw, context) => {
    const day = parseCalendarDate(raw);
    if (day !== null) return day;
    context.addIssue({ code: 'custom', message: `${name} is not a real date` });
    return z.NEVER;
  });
}

/** The IANA name of a zone that must be there, read as the platform writes it. */
export function zoneName(name: string) {
  return z.string({ error: `${name} is required` }).transform((raw, context) => {
    const zone = parseTimeZone(raw);
    if (zone !== null) return zone;
    context.addIssue({ code: 'custom', message: `${name} must be a valid time zone, such as Europe/Rome` });
    return z.NEVER;
  });
}
