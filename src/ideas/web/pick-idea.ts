import type { DateIdea } from '../contract.ts';
import { ideaApi } from './api.ts';

/** At most how many times 'Pick again' asks for another idea. If there is only one, it is returned again. */
const MAX_PICKS = 5;

/** Picks an idea at random; null if there is none. Tries up to five times to pick another idea than `before`. */
export async function pickIdea(before: DateIdea | null = null): Promise<DateIdea | null> {
  for (let pick = 1; ; pick += 1) {
    const idea = await ideaApi('GET /api/DateIdeas/pick');
    if (idea === null || idea.id !== before?.id || pick === MAX_PICKS) return idea;
  }
}

/** The text after a failed pick. */
export function pickFailure(): string {
  return navigator.onLine
    ? 'Failed to pick an idea. Please try again.'
    : 'We are offline. Please pick again when we are online.';
}
