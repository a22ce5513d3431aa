import type { DateIdea } from '../contract.ts';
import { ideaApi } from './api.ts';

/** How often 'Pick again' draws until it is another idea. One that is the only one is drawn again. */
const MAX_DRAWS = 5;

/** Draws an idea; null without any. A new draw is another one than `before`, if there is another. */
export async function drawIdea(before: DateIdea | null = null): Promise<DateIdea | null> {
  for (let draw = 1; ; draw += 1) {
    const idea = await ideaApi('GET /api/DateIdeas/pick');
    if (idea === null || idea.id !== before?.id || draw === MAX_DRAWS) return idea;
  }
}

/** The text after a failed draw. */
export function pickFailure(): string {
  return navigator.onLine
    ? 'Failed to pick an idea. Please try again.'
    : 'We are offline. Please pick again when we are online.';
}
