import { formatTotal } from '../totals.ts';
import css from './chart.module.css';
import { hoursLabel, type Month, monthName, shortMonth, yearsOf } from './trends.ts';

/** How many years stand open; those before them unfold. */
const OPEN_YEARS = 3;

/** A column to a month, its hours on top and its name under it; and the same as a table for those who hear it. */
export function Months({ months }: { months: readonly Month[] }) {
  const most = Math.max(1, ...months.map(({ minutes }) => minutes));
  const years = yearsOf(months);
  return (
    <div>
      {years === null ? (
        <Columns months={months} most={most} />
      ) : (
        <>
          {years.slice(0, OPEN_YEARS).map((year) => (
            <Columns key={year.year} {...year} most={most} />
          ))}
          {years.length > OPEN_YEARS && (
            <details className={css.earlier}>
              <summary>Earlier years</summary>
              {years.slice(OPEN_YEARS).map((year) => (
                <Columns key={year.year} {...year} most={most} />
              ))}
            </details>
          )}
        </>
      )}
      <Table months={months} />
    </div>
  );
}

interface ColumnsProps {
  readonly months: readonly (Month | null)[];
  /** Written above them, where there are several rows. */
  readonly year?: string;
  /** What the highest column stands for, in minutes: the same in every row. */
  readonly most: number;
}

function Columns({ months, year, most }: ColumnsProps) {
  return (
    <div className={`${year === undefined ? '' : css.year} num`} aria-hidden="true">
      {year !== undefined && <span className={css.yearName}>{year}</span>}
      <div className={css.months}>
        {months.map((month, index) => (
          <span key={index} className={css.month} style={{ '--part': (month?.minutes ?? 0) / most }}>
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

/** The month's name, on a phone its first letter. */
function Name({ month }: { month: string }) {
  const name = shortMonth(month);
  return (
    <span>
      {name.slice(0, 1)}
      <span className={css.rest}>{name.slice(1)}</span>
    </span>
  );
}

function Table({ months }: { months: readonly Month[] }) {
  return (
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
  );
}
