import { monthName, shortMonth } from '../../base/date-formats.ts';
import type { MonthFigures } from '../periods.ts';
import { formatTotal } from '../total-texts.ts';
import css from './chart.module.css';
import { hoursLabel, yearsOf } from './trends.ts';

/** How many years are shown. Earlier ones are collapsed. */
const OPEN_YEARS = 3;

/** A bar chart of hours per month, and the same data as a table for screen readers. */
export function Months({ months }: { months: readonly MonthFigures[] }) {
  const maxMinutes = Math.max(1, ...months.map(({ minutes }) => minutes));
  const years = yearsOf(months);
  return (
    <div>
      {years === null ? (
        <Columns months={months} maxMinutes={maxMinutes} />
      ) : (
        <>
          {years.slice(0, OPEN_YEARS).map((year) => (
            <Columns key={year.year} {...year} maxMinutes={maxMinutes} />
          ))}
          {years.length > OPEN_YEARS && (
            <details className={css.earlier}>
              <summary>Earlier years</summary>
              {years.slice(OPEN_YEARS).map((year) => (
                <Columns key={year.year} {...year} maxMinutes={maxMinutes} />
              ))}
            </details>
          )}
        </>
      )}
      {/* The table itself would not hide its caption in Firefox. */}
      <div className="visually-hidden">
        <Table months={months} />
      </div>
    </div>
  );
}

interface ColumnsProps {
  readonly months: readonly (MonthFigures | null)[];
  /** The row's label, if there are several rows. */
  readonly year?: string;
  /** Minutes of the highest column, the same in every row. */
  readonly maxMinutes: number;
}

function Columns({ months, year, maxMinutes }: ColumnsProps) {
  return (
    <div className={`${year === undefined ? '' : css.year} num`} aria-hidden="true">
      {year !== undefined && <span className={css.yearName}>{year}</span>}
      <div className={css.months}>
        {months.map((month, index) => (
          <span key={index} className={css.month} style={{ '--part': (month?.minutes ?? 0) / maxMinutes }}>
            {month && <span className={css.hours}>{hoursLabel(month.minutes)}</span>}
          </span>
        ))}
      </div>
      <div className={css.names}>
        {months.map((month, index) => (
          <Name key={index} month={month?.month ?? `2000-${String(index + 1).padStart(2, '0')}`} />
        ))}
      </div>
    </div>
  );
}

/** The month's short name; on phones, CSS shows only its first letter. */
function Name({ month }: { month: string }) {
  const name = shortMonth(month);
  return (
    <span>
      {name.slice(0, 1)}
      <span className={css.rest}>{name.slice(1)}</span>
    </span>
  );
}

function Table({ months }: { months: readonly MonthFigures[] }) {
  return (
    <table>
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
  );
}
