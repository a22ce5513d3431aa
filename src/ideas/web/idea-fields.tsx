import type { ChangeEvent, ReactNode } from 'react';
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { countText } from '../../base/clean-text.ts';
import { counter } from '../../base/web/forms/counter.ts';
import { registerWithLateBlur } from '../../base/web/forms/register-with-late-blur.ts';
import card from '../../kit/web/album/index-card.module.css';
import { CheckField } from '../../kit/web/forms/check-field.tsx';
import { Field } from '../../kit/web/forms/field.tsx';
import { SelectField } from '../../kit/web/forms/select-field.tsx';
import type { IdeaForm } from '../form-rules.ts';
import { ideaLimits } from '../rules.ts';
import { CategoryTab } from './category-tab.tsx';
import css from './idea-fields.module.css';
import { useCategories } from './queries.ts';

export interface IdeaFieldsProps {
  readonly form: UseFormReturn<IdeaForm>;
  /** The format of this form's counters: 'n / 200' or 'n/200'. */
  readonly between: ' / ' | '/';
  /** Shown at the end of the title's line: 'Surprise me'. */
  readonly beside?: ReactNode;
  readonly activeHint?: string;
}

/** The fields of an idea: title, description, category, and whether it is active. */
export function IdeaFields({ form, between, beside, activeHint }: IdeaFieldsProps) {
  const { control } = form;
  const register = registerWithLateBlur(form);
  const [title, description, category] = useWatch({ control, name: ['title', 'description', 'category'] });
  const { categories } = useCategories();
  const { errors } = useFormState({ control });
  const titleField = oneLine(register('title'));
  return (
    <div className={css.card} data-hue={category}>
      <span className={card.tab} aria-hidden="true">
        <CategoryTab category={category} />
      </span>
      <Field
        label="Title"
        beside={beside}
        error={errors.title?.message}
        {...counter(countText(title), ideaLimits.title, between)}
      >
        {(tied) => (
          <textarea
            {...titleField}
            {...tied}
            dir="auto"
            className={css.title}
            rows={1}
            required
            autoComplete="off"
            enterKeyHint="done"
            placeholder="What could we do?"
          />
        )}
      </Field>
      <Field
        label="Description"
        optional
        error={errors.description?.message}
        {...counter(countText(description), ideaLimits.description, between)}
      >
        {(tied) => (
          <textarea
            {...register('description')}
            {...tied}
            dir="auto"
            className={css.lines}
            placeholder="How would it go?"
          />
        )}
      </Field>
      <SelectField label="Category" required error={errors.category?.message} {...register('category')}>
        {categories.map(({ value, displayName }) => (
          <option key={value} value={value}>
            {displayName}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="This date idea is active and available for planning"
        hint={activeHint}
        {...register('isActive')}
      />
    </div>
  );
}

/** Makes a textarea behave like a one-line field that wraps: line breaks become spaces, and Enter submits (see `useSubmitForm`). */
function oneLine(field: ReturnType<UseFormReturn<IdeaForm>['register']>) {
  return {
    ...field,
    'data-line': 'one',
    onChange: (event: ChangeEvent<HTMLTextAreaElement>) => {
      const box = event.target;
      if (/[\r\n]/.test(box.value)) box.value = box.value.replace(/\s*[\r\n]+\s*/g, ' ');
      return field.onChange(event);
    },
  };
}
