import { cleanText } from '../base/clean-text.ts';
import { formatInstant } from '../base/instants.ts';
import { ideaPart, type SuggestedIdea } from './past-form.ts';

/** What is known of an outing that becomes a past date. Times are in milliseconds. */
interface Described {
  readonly what: string;
  readonly category: string;
  readonly location: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the request body for an outing. */
export function outingBody({ what, category, location, start, end }: Described, ideas: readonly SuggestedIdea[]) {
  const place = cleanText(location);
  return {
    ...ideaPart({ what, category, keep: false }, ideas),
    actualStartTime: formatInstant(start),
    actualEndTime: formatInstant(end),
    ...(place === '' ? {} : { location: place }),
  };
}

export type OutingBody = ReturnType<typeof outingBody>;
