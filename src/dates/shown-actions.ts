import type { PlannedDate } from './contract.ts';
import type { DisplayStatus } from './display-status.ts';
import { DISPLAY_STATUSES, displayStatus } from './display-status.ts';
import { isHidden, type WithSurprise } from './is-hidden.ts';
import { type DateAction, isAllowed } from './rules.ts';

/** The actions that a card and the details page offer. */
export type ShownAction = Extract<
  DateAction,
  'went' | 'start' | 'complete' | 'addMemories' | 'edit' | 'cancel' | 'delete'
>;
/** The screens that offer actions. */
export type ActionScreen = 'list' | 'details';

type Statuses = readonly DisplayStatus[];
const TO_COME: Statuses = ['upcoming', 'today', 'overdue'];
const onBoth = (statuses: Statuses) => ({ list: statuses, details: statuses });

/** The display statuses in which a screen shows each action, in the order of the buttons. */
const SHOWN: Readonly<Record<ShownAction, Readonly<Record<ActionScreen, Statuses>>>> = {
  went: onBoth(['overdue']),
  start: onBoth(TO_COME),
  complete: onBoth(['in-progress']),
  addMemories: { list: ['completed'], details: ['in-progress', 'completed'] },
  edit: onBoth(['upcoming', 'today']),
  cancel: { list: ['upcoming'], details: TO_COME },
  delete: onBoth(DISPLAY_STATUSES),
};

const ORDER = Object.keys(SHOWN) as readonly ShownAction[];

/**
 * The actions to offer for a date, in the order of their buttons. Never one that the server would refuse, and none for a
 * date that is hidden from the user.
 */
export function actionsOf(
  date: Pick<PlannedDate, 'status' | 'plannedDateTime'> & WithSurprise,
  screen: ActionScreen,
  now: number,
  zone: string,
): ShownAction[] {
  if (isHidden(date)) return [];
  const display = displayStatus(date, now, zone);
  return ORDER.filter((action) => SHOWN[action][screen].includes(display) && isAllowed(date.status, action));
}
