import type { ReactNode } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { longDate, stubDay } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { Category } from '../../ideas/web/category.tsx';
import { Ticket, type TicketProps } from '../../kit/web/album/ticket.tsx';
import { CoupleText } from '../../kit/web/couple-text.tsx';
import type { PlannedDate } from '../contract.ts';
import { memoryCountText } from '../detail-texts.ts';
import { BADGE_TEXTS, displayStatus } from '../display-status.ts';
import { isOwnSecret } from '../is-hidden.ts';
import { factTexts } from '../optional-texts.ts';
import { seenByPartnerText } from '../surprise-texts.ts';
import { cardTimeText, timeUntilText } from '../time-texts.ts';
import css from './date-ticket.module.css';
import { SurpriseTicket } from './surprise/surprise-ticket.tsx';

export interface DateTicketProps
  extends Pick<TicketProps, 'href' | 'asLink' | 'level' | 'actions' | 'rare' | 'large' | 'fresh'> {
  readonly date: PlannedDate;
  /** `brief` omits notes and memories, for use beside a form. `bare` omits all facts, if they are shown below. */
  readonly brief?: boolean;
  readonly bare?: boolean;
  /** Shows the time-until text only for future dates, as on the details page. */
  readonly untilOnlyAhead?: boolean;
  /** The link of a parcel, which has no other actions. */
  readonly parcelLink?: ReactNode;
}

/** A planned date as a ticket, updated with the clock, or as a parcel. */
export function DateTicket({ parcelLink, ...props }: DateTicketProps) {
  const { date, href, asLink, level, large } = props;
  if (!date.surprise) return <PlainTicket {...props} label={null} />;
  return (
    <SurpriseTicket date={date} href={href} asLink={asLink} level={level} large={large} link={parcelLink}>
      {(label) => <PlainTicket {...props} label={label} />}
    </SurpriseTicket>
  );
}

type PlainTicketProps = Omit<DateTicketProps, 'parcelLink'> & { readonly label: ReactNode };

function PlainTicket({ date, brief, bare, untilOnlyAhead, label, ...look }: PlainTicketProps) {
  const { partner } = useUser();
  const now = useNow();
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const display = displayStatus(date, now, zone);
  const ahead = display === 'upcoming' || display === 'today';
  const { category } = date.dateIdea;
  const until = untilOnlyAhead && !ahead ? '' : timeUntilText(date, now, zone);
  const seen = isOwnSecret(date) && !brief ? [seenByPartnerText(partner?.displayName ?? null)] : [];
  return (
    <Ticket
      {...look}
      state={display}
      stateLabel={BADGE_TEXTS[display]}
      day={stubDay(planned, zone)}
      title={date.dateIdea.title}
      until={
        label ? (
          <span className={css.labeled}>
            {label}
            {until}
          </span>
        ) : (
          until
        )
      }
      category={category && <Category category={category} />}
      facts={[...(bare ? [] : factsOf(date, zone, { brief, isLink: look.asLink })), ...seen]}
      notes={bare || brief ? null : date.notes}
    />
  );
}

function factsOf(
  date: PlannedDate,
  zone: string,
  { brief, isLink }: { brief: boolean | undefined; isLink: boolean | undefined },
): ReactNode[] {
  return [
    longDate(Date.parse(date.plannedDateTime), zone),
    cardTimeText(date, zone),
    ...factTexts(date).map(({ label, text }) => (isLink ? text : <CoupleText key={label}>{text}</CoupleText>)),
    brief ? null : memoryCountText(date),
  ].filter((fact) => fact !== null);
}
