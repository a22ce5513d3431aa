import { Link } from 'wouter';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import { actionsOf, type ShownAction } from '../shown-actions.ts';
import { ActionButton, type ActionButtonProps, isPrimaryAction } from './action-button.tsx';
import { DateTicket } from './date-ticket.tsx';

/** The usual height of a card in pixels, before it is measured. */
export const DATE_CARD_HEIGHT = 330;

export type DateCardProps = Pick<ActionButtonProps, 'date' | 'onAction' | 'pendingAction'>;

/** A planned date in the list, with the buttons for its display status. */
export function DateCard({ date, onAction, pendingAction }: DateCardProps) {
  const actions = actionsOf(date, 'list', useNow(), deviceZone());
  const button = (action: ShownAction) => (
    <ActionButton
      key={action}
      action={action}
      date={date}
      onAction={onAction}
      pendingAction={pendingAction}
      variant={action === 'complete' || action === 'went' ? 'primary' : isPrimaryAction(action) ? 'secondary' : 'text'}
    />
  );
  // Beside 'We went!' and 'Start Date' there is no room for a third large button.
  const isOverdue = actions.includes('went');
  const details = (
    <ButtonLink key="details" variant={isOverdue ? 'text' : 'secondary'} href={paths.date(date.id)}>
      View Details
    </ButtonLink>
  );
  return (
    <DateTicket
      date={date}
      href={paths.date(date.id)}
      parcelLink={<Link href={paths.date(date.id)}>View Details</Link>}
      actions={
        <>
          {actions.filter(isPrimaryAction).map(button)}
          {!isOverdue && details}
        </>
      }
      rare={[isOverdue && details, ...actions.filter((action) => !isPrimaryAction(action)).map(button)]}
    />
  );
}
