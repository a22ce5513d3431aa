import { clockTime, longDate, monthAndDay, stubDay } from '../../../base/date-formats.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { factTexts } from '../../../dates/optional-texts.ts';
import { startOf } from '../../../dates/start-of.ts';
import { actualDurationText } from '../../../dates/time-texts.ts';
import { categoryName } from '../../../ideas/categories.ts';
import { LinkedText } from '../../../kit/web/linked-text.tsx';
import css from './printed-page.module.css';

/** The ticket of a completed date, as on the screen, in hairlines. */
export function DateHeading({ date, zone }: { readonly date: PlannedDate; readonly zone: string }) {
  const start = startOf(date);
  const { category, title } = date.dateIdea;
  return (
    <article className={css.ticket}>
      <p className={css.stamp} aria-hidden="true">
        <span>{monthAndDay(start, zone)}</span>
        <b>Completed</b>
        <span>{stubDay(start, zone).year}</span>
      </p>
      <div className={css.body}>
        {category !== null && <p className={css.category}>{categoryName(category)}</p>}
        <h2>{title}</h2>
        <ul className="num">
          <li>{longDate(start, zone)}</li>
          <li>{[clockTime(start, zone), actualDurationText(date)].filter(Boolean).join(' · ')}</li>
          {factTexts(date).map(({ label, text }) => (
            <li key={label}>
              <LinkedText>{text}</LinkedText>
            </li>
          ))}
        </ul>
      </div>
    </article>
  );
}
