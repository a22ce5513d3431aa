import { useState } from 'react';
import type { PlannedDate } from '../../dates/contract.ts';
import { isWrapped } from '../../dates/is-hidden.ts';
import { useDate } from '../../dates/web/queries.ts';
import { SurpriseTicket } from '../../dates/web/surprise/surprise-ticket.tsx';
import { paths } from '../../paths.ts';
import { NextDateSection, NextDateTicket } from './next-date-section.tsx';

/**
 * The next date if it is a surprise. At its time it is no longer the next date; it is then unwrapped here,
 * and stays as long as the dashboard is open.
 */
export function NextSurprise({ date }: { date: PlannedDate | null }) {
  const shown = useLastSurprise(date);
  if (!shown?.surprise) return <NextDateSection date={shown} />;
  const href = paths.date(shown.id);
  const ticket = (
    <SurpriseTicket key={shown.id} date={shown} asLink large level={3} href={href}>
      {(label) => <NextDateTicket date={shown} label={label} />}
    </SurpriseTicket>
  );
  return <NextDateSection date={shown} ticket={ticket} />;
}

/** The last surprise that was the next date, until it is started or cancelled; then the next date. */
function useLastSurprise(next: PlannedDate | null): PlannedDate | null {
  const [last, setLast] = useState<PlannedDate | null>(null);
  if (next !== null && isWrapped(next) && next !== last) setLast(next);
  const isOver = last !== null && next?.id !== last.id;
  const { data, isError } = useDate(isOver ? last.id : '');
  if (!isOver || isError) return next;
  if (data === undefined) return last;
  return data.entity.status === 'Planned' ? data.entity : next;
}
