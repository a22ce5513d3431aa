import type { PlannedDate } from './contract.ts';
import type { DisplayStatus } from './display-status.ts';
import { displayStatus } from './display-status.ts';
import { allows } from './rules.ts';

/** What the buttons of a card and of the details do; each is named in contract 5. */
export type ShownAction = 'start' | 'complete' | 'addMemories' | 'edit' | 'cancel' | 'delete';
export type Place = 'list' | 'details';

const ALWAYS: readonly DisplayStatus[] = ['upcoming', 'today', 'overdue', 'in-progress', 'completed', 'cancelled'];
const TO_COME: readonly DisplayStatus[] = ['upcoming', 'today', 'overdue'];

/** By which display status each button is shown: spec 4, Actions by display status, to the letter. */
const SHOWN: Readonly<Record<Place, Readonly<Record<ShownAction, readonly DisplayStatus[]>>>> = {
  list: {
    start: TO_COME,
    complete: ['in-progress'],
    addMemories: ['completed'],
    edit: ['upcoming', 'today'],
    cancel: ['upcoming'],
    delete: ALWAYS,
  },
  details: {
    start: TO_COME,
    complete: ['in-progress'],
    addMemories: ['in-progress', 'completed'],
    edit: ['upcoming', 'today'],
    cancel: TO_COME,
    delete: ALWAYS,
  },
};

const ORDER: readonly ShownAction[] = ['start', 'complete', 'addMemories', 'edit', 'cancel', 'delete'];

/** The actions offered for a date in a place, in the order of their buttons; none that the server would refuse. */
export function actionsOf(
  date: Pick<PlannedDate, 'status' | 'plannedDateTime'>,
  place: Place,
  now: number,
  zone: string,
): ShownAction[] {
  const display = displayStatus(date, now, zone);
  return ORDER.filter((action) => SHOWN[place][action].includes(display) && allows(date.status, action));
}

/** The questions asked before (spec 4). */
export const CANCEL_QUESTION = 'Are you sure you want to cancel this date?';
const DELETE_QUESTION = 'Are you sure you want to permanently delete this planned date?';

/** The question before a delete; the details' one says more. */
export function deleteQuestion(place: Place): string {
  return place === 'list' ? DELETE_QUESTION : `${DELETE_QUESTION} This action cannot be undone.`;
}
