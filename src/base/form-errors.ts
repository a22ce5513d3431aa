import { cleanText, hasForbiddenCharacter, textLength } from './clean-text.ts';

/** A form's errors: one message per invalid field. Empty if the form is valid. */
export type FormErrors<Form> = { readonly [Field in keyof Form]?: string };

/** Removes the fields without an error. */
export function formErrors<Form>(faults: { readonly [Field in keyof Form]?: string | undefined }): FormErrors<Form> {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)) as FormErrors<Form>;
}

/** The rules for a text field. Lengths are code points of the cleaned text. */
export interface TextRule {
  /** The field's name in messages. */
  readonly name: string;
  readonly required?: boolean;
  readonly min?: { readonly length: number; readonly message: string };
  readonly max: { readonly length: number; readonly message: string };
}

/** Returns a text's first error in the server's order: characters, presence, length. */
export function textFault(raw: string, { name, required, min, max }: TextRule): string | undefined {
  const clean = cleanText(raw);
  // The cleaned text is what the page sends: a pasted form feed at its end is trimmed and no error.
  if (hasForbiddenCharacter(clean)) return forbiddenCharacter(name);
  if (clean === '') return required ? `${name} is required` : undefined;
  const length = textLength(clean);
  if (min && length < min.length) return min.message;
  return length > max.length ? max.message : undefined;
}

/** 'Title contains a character we can’t save', for every form and call. */
export function forbiddenCharacter(name: string): string {
  return `${name} contains a character we can’t save`;
}

/** 'Title cannot exceed 200 characters', for calls, and the add, plan and complete forms. */
export function cannotExceed(name: string, length: number): TextRule['max'] {
  return { length, message: `${name} cannot exceed ${length} characters` };
}

/** 'Title must be 200 characters or less', for the edit forms. */
export function orLess(name: string, length: number): TextRule['max'] {
  return { length, message: `${name} must be ${length} characters or less` };
}
