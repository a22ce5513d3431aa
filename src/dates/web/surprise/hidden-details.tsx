import { useUser } from '../../../auth/web/session/use-session.ts';
import { clockTime, longDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { Corners } from '../../../kit/web/album/corners.tsx';
import { BackLink } from '../../../kit/web/layout/back-link.tsx';
import { Facts } from '../../../kit/web/layout/facts.tsx';
import { Leaf } from '../../../kit/web/layout/leaf.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { Spread } from '../../../kit/web/layout/spread.tsx';
import { paths } from '../../../paths.ts';
import type { PlannedDate } from '../../contract.ts';
import { timeWithDateIfDifferent } from '../../detail-texts.ts';
import { opensByItselfText } from '../../surprise-texts.ts';
import { countdownText } from '../../time-texts.ts';
import { AddToCalendar } from '../add-to-calendar.tsx';
import css from './hidden.module.css';
import { SurpriseTicket } from './surprise-ticket.tsx';

/** The details of a date of which the user may know only the time (dates.surprises.7). */
export function HiddenDetails({ date }: { date: PlannedDate }) {
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const start = clockTime(planned, zone);
  const end = date.endDateTime && timeWithDateIfDifferent(date.endDateTime, date.plannedDateTime, zone);
  const partner = useUser().partner?.displayName ?? null;
  return (
    <Spread>
      <Leaf>
        <div>
          <BackLink href={paths.dates}>Back to Our Dates</BackLink>
          <SurpriseTicket date={date} level={1} large>
            {() => null}
          </SurpriseTicket>
        </div>
        <Section title="When">
          <Facts
            items={[
              { label: 'Date', value: longDate(planned, zone) },
              { label: 'Time', value: end ? `${start} to ${end}` : start },
              { label: 'Countdown', value: countdownText(date.plannedDateTime, useNow()) },
            ]}
          />
          <AddToCalendar dateId={date.id} />
        </Section>
      </Leaf>
      <Leaf>
        <Section title="Memories">
          <div className={css.free}>
            <Corners />
            <p className="felt">Room for what comes.</p>
            <p className="aside">{opensByItselfText(partner, planned, zone)}</p>
          </div>
        </Section>
      </Leaf>
    </Spread>
  );
}
