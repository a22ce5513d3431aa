import { Camera } from 'lucide-react';
import type { ReactNode } from 'react';
import { stubDay } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { sinceText } from '../../date-mode/running-date-times.ts';
import { ElapsedFigure } from '../../date-mode/web/elapsed-figure.tsx';
import type { PlannedDate } from '../../dates/contract.ts';
import { BADGE_TEXTS } from '../../dates/display-status.ts';
import { startOf } from '../../dates/start-of.ts';
import { SurpriseTicket } from '../../dates/web/surprise/surprise-ticket.tsx';
import { Ticket } from '../../kit/web/album/ticket.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import css from './running-dates.module.css';

/** The date in progress, with which the dashboard leads: its ticket opens date mode (datemode.1). */
export function RunningDates({ dates }: { dates: readonly PlannedDate[] }) {
  return dates.map((date) => <RunningDate key={date.id} date={date} />);
}

function RunningDate({ date }: { date: PlannedDate }) {
  const zone = deviceZone();
  const href = paths.dateNow(date.id);
  const ticket = (label: ReactNode) => (
    <Ticket
      large
      asLink
      level={3}
      href={href}
      state="in-progress"
      stateLabel={BADGE_TEXTS['in-progress']}
      day={stubDay(startOf(date), zone)}
      title={date.dateIdea.title}
      until={
        <span className={css.elapsed}>
          <ElapsedFigure date={date} />
        </span>
      }
      category={label}
      facts={[sinceText(date, zone), date.location].filter((fact) => fact !== null)}
    />
  );
  return (
    <Section title="Our Date, Right Now" link={{ href, label: 'Open' }}>
      {date.surprise ? <SurpriseTicket date={date}>{ticket}</SurpriseTicket> : ticket(null)}
      <div className={css.actions}>
        <ButtonLink variant="primary" icon={<Camera />} href={`${href}?open=camera`}>
          Take Photo
        </ButtonLink>
        <ButtonLink href={`${href}?open=end`}>End our date</ButtonLink>
      </div>
    </Section>
  );
}
