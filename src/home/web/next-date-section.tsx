import type { ReactNode } from 'react';
import { clockTime, longDate, stubDay } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import type { PlannedDate } from '../../dates/contract.ts';
import { BADGE_TEXTS, displayStatus } from '../../dates/display-status.ts';
import { countdownText } from '../../dates/time-texts.ts';
import { Ticket } from '../../kit/web/album/ticket.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import css from './next-date-section.module.css';

/** Loaded only without a next date. */
const NoNextDate = loadOnDemand(() => import('./no-next-date.tsx').then((module) => module.NoNextDate), {
  loading: () => <div className={css.room} />,
});

const VIEW_ALL = { href: paths.dates, label: 'View All Dates' };

/** The section of the next date. @param ticket how it is shown, if not as its ticket */
export function NextDateSection({ date, ticket }: { date: PlannedDate | null; ticket?: ReactNode }) {
  if (date === null) {
    return (
      <Section title="Plan Our Next Date" link={VIEW_ALL}>
        <NoNextDate />
      </Section>
    );
  }
  return (
    <Section title="Our Next Date" link={VIEW_ALL}>
      {ticket ?? <NextDateTicket date={date} />}
    </Section>
  );
}

/** @param label the label of a surprise */
export function NextDateTicket({ date, label }: { date: PlannedDate; label?: ReactNode }) {
  const now = useNow();
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const state = displayStatus(date, now, zone);
  return (
    <Ticket
      large
      asLink
      level={3}
      href={paths.date(date.id)}
      state={state}
      stateLabel={BADGE_TEXTS[state]}
      day={stubDay(planned, zone)}
      title={date.dateIdea.title}
      until={countdownText(date.plannedDateTime, now)}
      category={label}
      facts={[longDate(planned, zone), clockTime(planned, zone), date.location].filter((fact) => fact !== null)}
    />
  );
}
