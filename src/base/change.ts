import type { UserId } from './ids.ts';

/**
 * What one partner changed, as both partners' open apps receive it (contract 3, Changes, live). It names entities of other
 * slices, and is in `base` because `Deps.announce` and the channel between nodes carry it.
 */
export interface Change {
  readonly entity: 'dateIdea' | 'plannedDate' | 'memory' | 'couple';
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly by: UserId;
}

/**
 * The header of an event stream that says how many milliseconds before it the last change was that the user may know. A
 * page that asked before that change may have the answers of before.
 */
export const LAST_CHANGE_HEADER = 'x-last-change';
