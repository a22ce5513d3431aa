import { deviceZone, useNow } from '../../base/web/now.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import { actionsOf, type ShownAction } from '../actions.ts';
import { ActionButton, type ActionButtonProps, isPrimaryAction } from './action-button.tsx';
import { DateTicket } from './date-ticket.tsx';

export type DateCardProps = Pick<ActionButtonProps, 'date' | 'onAction' | 'pendingAction'>;

/** A planned date in the list, with the buttons for its display status (spec 4). */
export function DateCard({ date, onAction, pendingAction }: DateCardProps) {
  const actions = actionsOf(date, 'list', useNow(), deviceZone());
  const button = (action: ShownAction) => (
    <ActionButton
      key={action}
      action={action}
      date={date}
      onAction={onAction}
      pendingAction={pendingAction}
      variant={action === 'complete' ? 'primary' : isPrimaryAction(action) ? 'secondary' : 'text'}
    />
  );
  return (
    <DateTicket
      date={date}
      href={paths.date(date.id)}
      actions={
        <>
          {actions.filter(isPrimaryAction).map(button)}
          <ButtonLink href={paths.date(date.id)}>View Details</ButtonLink>
        </>
      }
      rare={actions.filter((action) => !isPrimaryAction(action)).map(button)}
    />
  );
}
