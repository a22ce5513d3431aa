import { Button, ButtonLink, type ButtonLook } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import type { ShownAction } from '../shown-actions.ts';

/** The actions that run in place. The others lead to their own screens. */
export type ImmediateAction = Extract<ShownAction, 'went' | 'start' | 'cancel' | 'delete'>;

const NAMES: Readonly<Record<ShownAction, string>> = {
  went: 'We went!',
  start: 'Start Date',
  complete: 'Complete',
  addMemories: 'Add Memories',
  edit: 'Edit',
  cancel: 'Cancel Date',
  delete: 'Delete',
};

const SCREENS: Readonly<Record<Exclude<ShownAction, ImmediateAction>, (id: string) => string>> = {
  complete: paths.completeDate,
  addMemories: paths.uploadTo,
  edit: paths.editDate,
};

export interface ActionButtonProps extends ButtonLook {
  readonly action: ShownAction;
  readonly date: PlannedDate;
  readonly onAction: (action: ImmediateAction, date: PlannedDate) => void;
  /** The action of this date that is running. */
  readonly pendingAction: ShownAction | null;
}

/** The button of an action. */
export function ActionButton({ action, date, onAction, pendingAction, ...look }: ActionButtonProps) {
  if (action === 'went' || action === 'start' || action === 'cancel' || action === 'delete') {
    return (
      <Button
        {...look}
        id={action === 'went' ? wentButtonId(date.id) : undefined}
        busy={pendingAction === action}
        onClick={() => onAction(action, date)}
      >
        {NAMES[action]}
      </Button>
    );
  }
  return (
    <ButtonLink {...look} href={SCREENS[action](date.id)}>
      {NAMES[action]}
    </ButtonLink>
  );
}

/** The id of the 'We went!' button of a date, to which an undo returns the focus. */
export function wentButtonId(dateId: string): string {
  return `went-${dateId}`;
}

/** Whether the action gets a prominent button. */
export function isPrimaryAction(action: ShownAction): boolean {
  return action === 'went' || action === 'start' || action === 'complete' || action === 'addMemories';
}
