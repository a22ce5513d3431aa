import { useState } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import { plural } from '../../base/number-texts.ts';
import { useNow } from '../../base/web/device/now.ts';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { ToggleGroup } from '../../kit/web/forms/toggle-group.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { monthOf } from '../periods.ts';
import { formatTotal, totalText } from '../total-texts.ts';
import css from './chart.module.css';
import { Months } from './months.tsx';
import type { StatsScreen } from './queries.ts';
import { PERIOD_OPTIONS, type Period, type TrendRow, trendsOf } from './trends.ts';

/** The hours of a full bar (stats.screen.6). */
const FULL_HOURS = 200;

/** 'Time Trends': hours by period and month of the couple's calendar, filtered by the period (stats.screen.6, 7 and 10). */
export function TimeTrends({ time }: Pick<StatsScreen, 'time'>) {
  const [period, setPeriod] = useState<Period>('all');
  const { timeZone } = useUser().couple;
  const thisMonth = monthOf(useNow(), timeZone);
  const { rows, months, sum } = trendsOf(period, time.periods, time.byMonth, thisMonth);
  return (
    <Section title="Time Trends">
      <ToggleGroup label="Period" options={PERIOD_OPTIONS} value={period} onChange={setPeriod} />
      <p className="aside num" role="status">
        {totalText(sum.minutes)} in {plural(sum.dates, 'date')}
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
