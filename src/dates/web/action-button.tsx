import { Button, ButtonLink, type ButtonLook } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import type { ShownAction } from '../actions.ts';
import type { PlannedDate } from '../contract.ts';

/** What is asked for on the spot; the other actions lead to a screen of their own. */
export type ImmediateAction = Extract<ShownAction, 'start' | 'cancel' | 'delete'>;

const NAMES: Readonly<Record<ShownAction, string>> = {
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
  /** The action of this date that is under way. */
  readonly under: ShownAction | null;
}

/** One of a date's buttons, named by contract 5. */
export function ActionButton({ action, date, onAction, under, ...look }: ActionButtonProps) {
  if (action === 'start' || action === 'cancel' || action === 'delete') {
    return (
      <Button {...look} busy={under === action} onClick={() => onAction(action, date)}>
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

/** What stands first among a date's buttons; the rest are rare, and quiet. */
export function isPrimaryAction(action: ShownAction): boolean {
  return action === 'start' || action === 'complete' || action === 'addMemories';
}
