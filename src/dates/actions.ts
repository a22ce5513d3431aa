import type { PlannedDate } from './contract.ts';
import type { DisplayStatus } from './display-status.ts';
import { DISPLAY_STATUSES, displayStatus } from './display-status.ts';
import { isHidden, type WithSurprise } from './is-hidden.ts';
import { isAllowed } from './rules.ts';

/** The actions that a card and the details page offer. */
export type ShownAction = 'went' | 'start' | 'complete' | 'addMemories' | 'edit' | 'cancel' | 'delete';
export type Place = 'list' | 'details';

const TO_COME: readonly DisplayStatus[] = ['upcoming', 'today', 'overdue'];

/** The display statuses in which each action is shown. */
const SHOWN: Readonly<Record<Place, Readonly<Record<ShownAction, readonly DisplayStatus[]>>>> = {
  list: {
    went: ['overdue'],
    start: TO_COME,
    complete: ['in-progress'],
    addMemories: ['completed'],
    edit: ['upcoming', 'today'],
    cancel: ['upcoming'],
    delete: DISPLAY_STATUSES,
  },
  details: {
    went: ['overdue'],
    start: TO_COME,
    complete: ['in-progress'],
    addMemories: ['in-progress', 'completed'],
    edit: ['upcoming', 'today'],
    cancel: TO_COME,
    delete: DISPLAY_STATUSES,
  },
};

const ORDER: readonly ShownAction[] = ['went', 'start', 'complete', 'addMemories', 'edit', 'cancel', 'delete'];

/**
 * The actions to offer for a date, in the order of their buttons. Never one that the server would refuse: none at all for
 * a surprise of the partner.
 */
export function actionsOf(
  date: Pick<PlannedDate, 'status' | 'plannedDateTime'> & WithSurprise,
  place: Place,
  now: number,
  zone: string,
): ShownAction[] {
  if (isHidden(date)) return [];
  const display = displayStatus(date, now, zone);
  return ORDER.filter((action) => SHOWN[place][action].includes(display) && isAllowed(date.status, action));
}

/** The confirmation questions. */
export const CANCEL_QUESTION = 'Are you sure you want to cancel this date?';
const DELETE_QUESTION = 'Are you sure you want to permanently delete this planned date?';

/** The question before a delete. The details page adds a sentence. */
export function deleteQuestion(place: Place): string {
  return place === 'list' ? DELETE_QUESTION : `${DELETE_QUESTION} This action cannot be undone.`;
}
