import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { countText } from '../../base/clean-text.ts';
import { counter } from '../../base/web/forms/counter.ts';
import { TextArea } from '../../kit/web/forms/text-area.tsx';
import { TextField } from '../../kit/web/forms/text-field.tsx';
import { OPTIONAL_TEXTS, type OptionalTextForm, type OptionalTextName, optionalTextNames } from '../optional-texts.ts';

interface OptionalTextFieldsProps {
  readonly texts: Partial<OptionalTextForm>;
  readonly errors: FieldErrors<OptionalTextForm>;
  readonly register: (name: OptionalTextName) => UseFormRegisterReturn;
  readonly limit: 'max' | 'planMax';
  /** The format of this form's counters. */
  readonly between: ' / ' | '/';
  readonly hints?: { readonly [Name in OptionalTextName]?: string | undefined };
}

/** The fields of a date's optional texts: one line each, and several for the notes. */
export function OptionalTextFields({ texts, errors, register, limit, between, hints = {} }: OptionalTextFieldsProps) {
  return optionalTextNames.map((name) => {
    const props = {
      label: OPTIONAL_TEXTS[name].label,
      optional: true,
      hint: hints[name],
      error: errors[name]?.message,
      ...counter(countText(texts[name] ?? ''), OPTIONAL_TEXTS[name][limit], between),
      ...register(name),
    };
    return name === 'notes' ? (
      <TextArea key={name} {...props} />
    ) : (
      <TextField key={name} {...props} autoComplete="off" />
    );
  });
}
