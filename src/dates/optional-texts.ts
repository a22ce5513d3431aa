import { cleanText } from '../base/clean-text.ts';

/** An optional text of a planned date. */
export interface OptionalText {
  /** Its name in forms, messages and tables. */
  readonly label: string;
  /** How long it may be, in code points. */
  readonly max: number;
  /** How long it may be in the plan form and its call. */
  readonly planMax: number;
}

/**
 * The optional texts of a planned date, in the order in which forms and tables show them. Calls, forms, queries, the search,
 * the export and the import are derived from this list (docs/how-to/add-a-field.md).
 */
export const OPTIONAL_TEXTS = {
  location: { label: 'Location', max: 300, planMax: 200 },
  notes: { label: 'Notes', max: 1000, planMax: 500 },
} as const satisfies Readonly<Record<string, OptionalText>>;

export type OptionalTextName = keyof typeof OPTIONAL_TEXTS;

/** The optional texts of a date; null is none. */
export type OptionalTexts = Readonly<Record<OptionalTextName, string | null>>;

/** The optional texts as a form has them; blank is none. */
export type OptionalTextForm = Readonly<Record<OptionalTextName, string>>;

export const optionalTextNames = Object.keys(OPTIONAL_TEXTS) as readonly OptionalTextName[];

/** Returns an object with a value for each optional text. */
export function eachOptionalText<T>(
  valueOf: (name: OptionalTextName, text: OptionalText) => T,
): Record<OptionalTextName, T> {
  const entries = optionalTextNames.map((name) => [name, valueOf(name, OPTIONAL_TEXTS[name])] as const);
  return Object.fromEntries(entries) as Record<OptionalTextName, T>;
}

/** The optional texts of a date that has none. */
export const NO_TEXTS: OptionalTexts = eachOptionalText(() => null);

/** Picks the optional texts of a date. */
export function optionalTextsOf(date: OptionalTexts): OptionalTexts {
  return eachOptionalText((name) => date[name]);
}

/** The optional texts of a date as the values of a form. */
export function optionalTextForm(date: OptionalTexts): OptionalTextForm {
  return eachOptionalText((name) => date[name] ?? '');
}

/** The optional texts of a form, cleaned, without those that are blank. */
export function filledTexts(form: OptionalTextForm): Partial<Record<OptionalTextName, string>> {
  const cleaned = optionalTextNames.map((name) => [name, cleanText(form[name])] as const);
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''));
}

/** The optional texts that a date or a request has, in order. */
export function presentTexts(texts: Partial<OptionalTexts>): string[] {
  return optionalTextNames.flatMap((name) => texts[name] ?? []);
}

/** The optional texts of a date that are shown in a line each, with their label: all but the notes. */
export function factTexts(date: OptionalTexts): { readonly label: string; readonly text: string }[] {
  return optionalTextNames.flatMap((name) => {
    const text = date[name];
    return name === 'notes' || text === null ? [] : [{ label: OPTIONAL_TEXTS[name].label, text }];
  });
}
