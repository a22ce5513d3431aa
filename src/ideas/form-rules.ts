import { cleanText } from '../base/clean-text.ts';
import type { FormErrors } from '../base/form-errors.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form-errors.ts';
import type { CategoryValue } from './categories.ts';
import type { DateIdea } from './contract.ts';
import { ideaLimits } from './rules.ts';

/** The values of the idea form, as typed. */
export interface IdeaForm {
  readonly title: string;
  readonly description: string;
  /** A category's value, or '' if none is selected. */
  readonly category: string;
  readonly isActive: boolean;
}

/** The initial values of the add form, also set by 'Clear'. */
export const EMPTY_IDEA: IdeaForm = { title: '', description: '', category: 'Romantic', isActive: true };

/** Validates the add form. */
export function addIdeaErrors(form: IdeaForm): FormErrors<IdeaForm> {
  return formErrors<IdeaForm>({
    title: textFault(form.title, {
      name: 'Title',
      required: true,
      min: { length: ideaLimits.titleMin, message: `Title must be at least ${ideaLimits.titleMin} characters` },
      max: cannotExceed('Title', ideaLimits.title),
    }),
    description: textFault(form.description, {
      name: 'Description',
      max: cannotExceed('Description', ideaLimits.description),
    }),
    category: form.category === '' ? 'Category is required' : undefined,
  });
}

/** Validates the edit form, which has other messages and no minimum title length (ideas.form.2). */
export function editIdeaErrors(form: IdeaForm): FormErrors<IdeaForm> {
  return formErrors<IdeaForm>({
    title: textFault(form.title, { name: 'Title', required: true, max: orLess('Title', ideaLimits.title) }),
    description: textFault(form.description, {
      name: 'Description',
      max: orLess('Description', ideaLimits.description),
    }),
    category: form.category === '' ? 'Please select a category' : undefined,
  });
}

/** The initial values of the edit form. */
export function ideaFormOf(idea: Pick<DateIdea, 'title' | 'description' | 'category' | 'isActive'>): IdeaForm {
  return {
    title: idea.title,
    description: idea.description ?? '',
    category: idea.category,
    isActive: idea.isActive,
  };
}

/** The request body of create and PUT: trimmed texts, no empty description. */
export function ideaBody(form: IdeaForm): {
  title: string;
  description?: string;
  category: CategoryValue;
  isActive: boolean;
} {
  const description = cleanText(form.description);
  return {
    title: cleanText(form.title),
    ...(description === '' ? {} : { description }),
    // The select offers the server's categories. The server rejects any other value.
    category: form.category as CategoryValue,
    isActive: form.isActive,
  };
}
