import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';

/** Messages for incomplete date fields, by input type. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  date: 'Please enter a complete date',
  'datetime-local': 'Please enter a complete date and time',
};

/**
 * Extends a resolver to reject date and time fields that are only partly filled in. The browser reports such a field as
 * empty, so an optional end would be dropped and a required start would be reported as missing.
 */
export function refuseHalfTypedTimes<Form extends FieldValues>(resolver: Resolver<Form>): Resolver<Form> {
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

/** Returns the form's partly filled fields. It reads them from the form, because a resolver gets only some fields. */
function incompleteFields(fields: readonly FieldRef[]): HTMLInputElement[] {
  const form = fields.find(({ ref }) => ref.form)?.ref.form;
  return [...(form?.elements ?? [])].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.type in INCOMPLETE && element.validity.badInput,
  );
}
