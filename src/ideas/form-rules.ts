import type { FormErrors } from '../base/form.ts';
import { cannotExceed, formErrors, orLess, textFault } from '../base/form.ts';
import { cleanText } from '../base/text.ts';
import type { DateIdea } from './contract.ts';
import type { CategoryValue } from './rules.ts';
import { ideaLimits } from './rules.ts';

/** What stands in the idea form, as it is typed. */
export interface IdeaForm {
  readonly title: string;
  readonly description: string;
  /** A category's value; blank where none is chosen. */
  readonly category: string;
  readonly isActive: boolean;
}

/** The add form as it opens, and as 'Clear' leaves it (spec 4, Unsaved changes). */
export const EMPTY_IDEA: IdeaForm = { title: '', description: '', category: 'Romantic', isActive: true };

/** The add form's verdict (spec 5, Add idea). */
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

/** The edit form's verdict, in its own words; a title of one character may stay (spec 5, Edit idea). */
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

/** The edit form of an idea as it is. */
export function ideaFormOf(idea: Pick<DateIdea, 'title' | 'description' | 'category' | 'isActive'>): IdeaForm {
  return {
    title: idea.title,
    description: idea.description ?? '',
    category: idea.category,
    isActive: idea.isActive,
  };
}

/** The body of create and PUT: texts trimmed, an empty description left out (spec 3, Payloads). */
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
    // The select offers the server's own categories; should one be none of ours, the server says so.
    category: form.category as CategoryValue,
    isActive: form.isActive,
  };
}
