import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';

/** What is said of a field that holds only a part of a date, by the input's type. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  date: 'Please enter a complete date',
  'datetime-local': 'Please enter a complete date and time',
};

/**
 * A resolver that also refuses date and time fields that are only partly filled in. The browser reports such a field
 * as empty: without this an optional end that is half typed is dropped, and a required start is called missing.
 */
export function withCompleteTimes<Form extends FieldValues>(resolver: Resolver<Form>): Resolver<Form> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const incomplete = incompleteFields(Object.values(options.fields) as FieldRef[]);
    if (incomplete.length === 0) return result;
    const errors = Object.fromEntries(incomplete.map(({ name, type }) => [name, { type, message: INCOMPLETE[type] }]));
    return { values: {}, errors: { ...result.errors, ...errors } as FieldErrors<Form> };
  };
}

interface FieldRef {
  readonly ref: { readonly form?: HTMLFormElement | null };
}

/** The partly filled fields of the whole form: a resolver is handed only the fields that are validated now. */
function incompleteFields(fields: readonly FieldRef[]): HTMLInputElement[] {
  const form = fields.find(({ ref }) => ref.form)?.ref.form;
  return [...(form?.elements ?? [])].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.type in INCOMPLETE && element.validity.badInput,
  );
}
