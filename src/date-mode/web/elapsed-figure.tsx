import { Fragment } from 'react';
import { longDuration } from '../../base/durations.ts';
import { useNow } from '../../base/web/device/now.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { elapsedParts, minutesSinceStart } from '../running-date-times.ts';
import css from './elapsed-figure.module.css';

/** The time since the start of a date as a figure: '1h 42m'. It changes once a minute. */
export function ElapsedFigure({ date }: { date: PlannedDate }) {
  const minutes = minutesSinceStart(date, useNow());
  return (
    <span className={css.elapsed} role="timer" aria-label={longDuration(minutes)}>
      {elapsedParts(minutes).map(([count, unit]) => (
        <Fragment key={unit}>
          {count}
          <small>{unit}</small>
        </Fragment>
      ))}
    </span>
  );
}
