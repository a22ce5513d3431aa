import type { ActionScreen } from './shown-actions.ts';

/** The question before a date is cancelled. */
export const CANCEL_QUESTION = 'Are you sure you want to cancel this date?';

/** The question before a date is deleted. The details page adds a sentence. */
export function deleteQuestion(screen: ActionScreen): string {
  const question = 'Are you sure you want to permanently delete this planned date?';
  return screen === 'list' ? question : `${question} This action cannot be undone.`;
}
