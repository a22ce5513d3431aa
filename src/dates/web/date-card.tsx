import { deviceZone, useNow } from '../../base/web/now.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import { actionsOf, type ShownAction } from '../actions.ts';
import { ActionButton, type ActionButtonProps, isPrimaryAction } from './action-button.tsx';
import { DateTicket } from './date-ticket.tsx';

export type DateCardProps = Pick<ActionButtonProps, 'date' | 'onAction' | 'under'>;

/** A planned date in the list, with the buttons that spec section 4 gives its display status there. */
export function DateCard({ date, onAction, under }: DateCardProps) {
  const actions = actionsOf(date, 'list', useNow(), deviceZone());
  const button = (action: ShownAction) => (
    <ActionButton
      key={action}
      action={action}
      date={date}
      onAction={onAction}
      under={under}
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
