import type { ReactNode } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { KraftLabel } from '../../../kit/web/album/kraft-label.tsx';
import type { ParcelProps } from '../../../kit/web/album/parcel.tsx';
import { Unwrapped } from '../../../kit/web/album/unwrapped.tsx';
import { Announcement } from '../../../kit/web/feedback/announcement.tsx';
import type { PlannedDate } from '../../contract.ts';
import { isHidden, isOwnSecret } from '../../is-hidden.ts';
import { KEEP_FREE, surpriseFrom, unwrappedText } from '../../surprise-texts.ts';
import { DateParcel } from './date-parcel.tsx';
import { useUnwrapping } from './use-unwrapping.ts';

export type Look = Pick<ParcelProps, 'href' | 'asLink' | 'level' | 'large'>;

export interface SurpriseTicketProps extends Look {
  readonly date: PlannedDate;
  /** A link below the words of the parcel. */
  readonly link?: ReactNode;
  /** Renders the ticket, with its label of kraft paper if it has one. */
  readonly children: (label: ReactNode) => ReactNode;
}

/**
 * A date that is or was a surprise: a parcel for the partner of its planner, the labeled ticket for
 * the planner, and for both, once, the ticket that has just been unwrapped. Later it is a ticket like any other.
 */
export function SurpriseTicket({ date, link, children, ...look }: SurpriseTicketProps) {
  const { displayName, partner } = useUser();
  const unwrapping = useUnwrapping(date);
  const from = date.surprise?.mine ? displayName : (partner?.displayName ?? null);
  return (
    <>
      <Announcement>{unwrapping ? unwrappedText(date, date.surprise?.mine ? null : from) : null}</Announcement>
      {isHidden(date) ? (
        <DateParcel {...look} date={date} from={from}>
          {link}
        </DateParcel>
      ) : unwrapping ? (
        <Unwrapped parcel={{ title: surpriseFrom(from), hush: KEEP_FREE }}>
          {children(<UnwrappedLabel mine={date.surprise?.mine === true} from={from} />)}
        </Unwrapped>
      ) : (
        children(isOwnSecret(date) && <KraftLabel>Surprise</KraftLabel>)
      )}
    </>
  );
}

function UnwrappedLabel({ mine, from }: { mine: boolean; from: string | null }) {
  return <KraftLabel>{mine || from === null ? 'Surprise' : `From ${from}`}</KraftLabel>;
}
