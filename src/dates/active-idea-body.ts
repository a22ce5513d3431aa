import type { DateIdea } from '../ideas/contract.ts';
import { ideaBody, ideaFormOf } from '../ideas/form-rules.ts';

export type IdeaTexts = Pick<DateIdea, 'title' | 'description' | 'category'>;

/** The request body that saves or adds an idea with these fields, active. */
export function activeIdeaBody({ title, description, category }: IdeaTexts) {
  return ideaBody(ideaFormOf({ title, description, category, isActive: true }));
}
