import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { FormErrors } from '../../form-errors.ts';

/** Turns a slice's form rules into a resolver for react-hook-form, with one message per field. */
export function formResolver<Form extends FieldValues>(rules: (form: Form) => FormErrors<Form>): Resolver<Form> {
  return (values) => {
    const faults = Object.entries(rules(values)).filter(([, message]) => message !== undefined);
    if (faults.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(faults.map(([field, message]) => [field, { type: 'rule', message }]));
    return { values: {}, errors: errors as FieldErrors<Form> };
  };
}
