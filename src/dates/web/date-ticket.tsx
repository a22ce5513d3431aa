import { clockTime, longDate, stubDay } from '../../base/time.ts';
import { deviceZone, useNow } from '../../base/web/now.ts';
import { Category } from '../../ideas/web/category.tsx';
import { Ticket, type TicketProps } from '../../kit/web/album/ticket.tsx';
import type { PlannedDate } from '../contract.ts';
import { memoryCountText } from '../detail-texts.ts';
import { BADGE_TEXTS, displayStatus } from '../display-status.ts';
import { cardTimeText, timeUntilText } from '../time-texts.ts';

export interface DateTicketProps
  extends Pick<TicketProps, 'href' | 'asLink' | 'level' | 'actions' | 'rare' | 'large' | 'fresh'> {
  readonly date: PlannedDate;
  /** `brief` omits notes and memories, for use beside a form. `bare` omits all facts, if they are shown below. */
  readonly brief?: boolean;
  readonly bare?: boolean;
  /** Shows the time-until text only for future dates, as on the details page (spec 2). */
  readonly untilOnlyAhead?: boolean;
}

/** A planned date as a ticket, updated with the clock (spec 2, Planned dates list; spec 4, Badges). */
export function DateTicket({ date, brief, bare, untilOnlyAhead, ...look }: DateTicketProps) {
  const now = useNow();
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const display = displayStatus(date, now, zone);
  const ahead = display === 'upcoming' || display === 'today';
  return (
    <Ticket
      {...look}
      state={display}
      stateLabel={BADGE_TEXTS[display]}
      day={stubDay(planned, zone)}
      title={date.dateIdea.title}
      until={untilOnlyAhead && !ahead ? '' : timeUntilText(date, now, zone)}
      category={<Category category={date.dateIdea.category} />}
      facts={bare ? [] : factsOf(date, zone, brief)}
      notes={bare || brief ? null : date.notes}
    />
  );
}

function factsOf(date: PlannedDate, zone: string, brief = false): string[] {
  return [
    longDate(Date.parse(date.plannedDateTime), zone),
    cardTimeText(date, zone),
    date.location,
    brief ? null : memoryCountText(date),
  ].filter((fact) => fact !== null);
}

/** Formats an instant as 'Saturday, November 21, 2026, 7:30 PM'. */
export function dayAndTime(instant: string, zone: string): string {
  const ms = Date.parse(instant);
  return `${longDate(ms, zone)}, ${clockTime(ms, zone)}`;
}
