import { useState } from 'react';
import { useUser } from '../../auth/web/session.ts';
import { plural } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { useNow } from '../../base/web/now.ts';
import { ProgressBar } from '../../base/web/ui/progress-bar.tsx';
import { Section } from '../../base/web/ui/section.tsx';
import { ToggleGroup } from '../../base/web/ui/toggle-group.tsx';
import { formatTotal } from '../rules.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';
import {
  hoursLabel,
  type Month,
  monthName,
  PERIODS,
  type Period,
  shortMonth,
  type TrendRow,
  trendsOf,
} from './trends.ts';

/** A full bar is so many hours (spec 9, Statistics derivations). */
const FULL_HOURS = 200;
/** More columns than this have no room for words of their own. */
const LABELLED = 12;

/** 'Time Trends': real hours of the periods and months of the couple's calendar; the period filters (contract 5). */
export function TimeTrends({ time }: Pick<StatsScreen, 'time'>) {
  const [period, setPeriod] = useState<Period>('all');
  const { timeZone } = useUser().couple;
  const thisMonth = dayOf(useNow(), timeZone).slice(0, 7);
  const { rows, months, sum } = trendsOf(period, time.periods, time.byMonth, thisMonth);
  return (
    <Section title="Time Trends">
      <ToggleGroup label="Period" options={PERIODS} value={period} onChange={setPeriod} />
      <p className="aside num" role="status">
        {formatTotal(sum.minutes)} in {plural(sum.dates, 'date')}
      </p>
      <table className={`${css.chart} num`}>
        <caption className="visually-hidden">Hours per period</caption>
        <tbody>
          {rows.map((row) => (
            <Row key={row.label} {...row} />
          ))}
        </tbody>
      </table>
      {months.length > 0 && <Months months={months} />}
    </Section>
  );
}

function Row({ label, minutes, dates }: TrendRow) {
  const time = formatTotal(minutes);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{time}</td>
      <td>{plural(dates, 'date')}</td>
      <td>
        <ProgressBar label={`${label}: ${time}`} value={Math.min(FULL_HOURS, minutes / 60)} max={FULL_HOURS} />
      </td>
    </tr>
  );
}

/** A column to a month, and the same as a table for those who hear it. */
function Months({ months }: { months: readonly Month[] }) {
  const most = Math.max(1, ...months.map(({ minutes }) => minutes));
  const labelled = months.length <= LABELLED;
  return (
    <div>
      <div className="num" aria-hidden="true">
        <div className={css.months}>
          {months.map(({ month, minutes }) => (
            <span key={month} className={css.month} style={{ '--part': minutes / most }}>
              {labelled && <span className={css.hours}>{hoursLabel(minutes)}</span>}
            </span>
          ))}
        </div>
        <div className={css.names}>
          {months.map(({ month }) => (
            <span key={month}>{nameOf(month, labelled)}</span>
          ))}
        </div>
      </div>
      <table className="visually-hidden">
        <caption>Hours and dates per month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Hours</th>
            <th scope="col">Dates</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, minutes, dates }) => (
            <tr key={month}>
              <th scope="row">{monthName(month)}</th>
              <td>{formatTotal(minutes)}</td>
              <td>{dates}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The month's name, on a phone its first letter; of many months only the years are named. */
function nameOf(month: string, labelled: boolean) {
  if (!labelled) return month.endsWith('-01') ? month.slice(0, 4) : '';
  const name = shortMonth(month);
  return (
    <>
      {name.slice(0, 1)}
      <span className={css.rest}>{name.slice(1)}</span>
    </>
  );
}
