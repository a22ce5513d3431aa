import { cleanText, hasForbiddenCharacter, textLength } from './text.ts';

/** What is wrong with a form, one sentence a field; an empty object where nothing is. */
export type FormErrors<Form> = { readonly [Field in keyof Form]?: string };

/** A fault, or undefined, for each field: those without a fault left out. */
export function formErrors<Form>(faults: { readonly [Field in keyof Form]?: string | undefined }): FormErrors<Form> {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)) as FormErrors<Form>;
}

/** What a form says of a text: each part may be left out; lengths are code points of the cleaned text (contract 1). */
export interface TextRule {
  /** What the field is called in a sentence. */
  readonly name: string;
  readonly required?: boolean;
  readonly min?: { readonly length: number; readonly message: string };
  readonly max: { readonly length: number; readonly message: string };
}

/** The first fault of a text, in the server's order: what it holds, whether it is there, whether it is long enough. */
export function textFault(raw: string, { name, required, min, max }: TextRule): string | undefined {
  const clean = cleanText(raw);
  // What is sent is the cleaned text: a form feed pasted at its end is trimmed, and no fault.
  if (hasForbiddenCharacter(clean)) return `${name} contains a character we can’t save`;
  if (clean === '') return required ? `${name} is required` : undefined;
  const length = textLength(clean);
  if (min && length < min.length) return min.message;
  return length > max.length ? max.message : undefined;
}

/** 'Title cannot exceed 200 characters': how the add, plan and complete forms say it. */
export function cannotExceed(name: string, length: number): TextRule['max'] {
  return { length, message: `${name} cannot exceed ${length} characters` };
}

/** 'Title must be 200 characters or less': how the edit forms say it. */
export function orLess(name: string, length: number): TextRule['max'] {
  return { length, message: `${name} must be ${length} characters or less` };
}
