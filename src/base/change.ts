import type { UserId } from './ids.ts';

/**
 * What one partner changed, as both partners' open apps receive it. It names entities of other
 * slices, and is in `base` because `Deps.announce` and the channel between nodes carry it.
 */
export interface Change {
  readonly entity: 'dateIdea' | 'plannedDate' | 'memory' | 'couple';
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly by: UserId;
}

/**
 * The header of an event stream that says at most how many milliseconds before the response the last change was made that
 * the user may know of. A page that was opened before that change may hold answers from before it.
 */
export const LAST_CHANGE_HEADER = 'x-last-change';
