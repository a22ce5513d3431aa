import { useId } from 'react';
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { countText } from '../../../base/clean-text.ts';
import { counter } from '../../../base/web/forms/counter.ts';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import type { DateIdea } from '../../../ideas/contract.ts';
import { ideaLimits } from '../../../ideas/rules.ts';
import { IdeaTitles } from '../../../ideas/web/idea-titles.tsx';
import { useCategories } from '../../../ideas/web/queries.ts';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { ideaNamed } from '../../past-form.ts';

/** The fields that name what we did. */
export interface NamedIdea {
  readonly what: string;
  readonly category: string;
}

export interface IdeaOfPastFieldsProps {
  readonly form: UseFormReturn<NamedIdea>;
  /** Our ideas, which the first field suggests. One of them that has the typed title is used. */
  readonly ideas: readonly DateIdea[];
}

/** 'What did we do?', which suggests our ideas, and the category of a new one. */
export function IdeaOfPastFields({ form, ideas }: IdeaOfPastFieldsProps) {
  const { control } = form;
  const register = registerWithLateBlur(form);
  const [what, category] = useWatch({ control, name: ['what', 'category'] });
  const { errors } = useFormState({ control });
  const { categories } = useCategories();
  const list = useId();
  const known = ideaNamed(ideas, what);
  return (
    <Fields>
      <TextField
        label="What did we do?"
        required
        autoComplete="off"
        list={list}
        hint={known ? 'One of our ideas.' : undefined}
        error={errors.what?.message}
        {...counter(countText(what), ideaLimits.title)}
        {...register('what')}
      />
      <IdeaTitles id={list} ideas={ideas} />
      <SelectField
        label="Category"
        required
        error={errors.category?.message}
        {...register('category')}
        // The category of one of our ideas is already known.
        disabled={known !== undefined}
        value={known?.category ?? category}
      >
        {categories.map(({ value, displayName }) => (
          <option key={value} value={value}>
            {displayName}
          </option>
        ))}
      </SelectField>
    </Fields>
  );
}
