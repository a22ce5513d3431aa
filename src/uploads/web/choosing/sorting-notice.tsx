import { useEffect, useRef } from 'react';
import { longDate } from '../../../base/date-formats.ts';
import { plural } from '../../../base/number-texts.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { startOf } from '../../../dates/start-of.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import css from './sorting-notice.module.css';
import type { Sorting } from './use-sorting.ts';

/** Offers to sort the photos into the dates on which they were taken, and then to undo that. */
export function SortingNotice({ sorting }: { sorting: Sorting }) {
  const { proposals, sortedCount } = sorting;
  if (proposals.length > 0) return <Proposed sorting={sorting} />;
  return sortedCount > 0 ? <Sorted sorting={sorting} /> : null;
}

function Proposed({ sorting: { proposals, accept, dismiss } }: { sorting: Sorting }) {
  const count = proposals.reduce((sum, { ids }) => sum + ids.length, 0);
  return (
    <section className={css.notice}>
      <div role="status" className={css.words}>
        <h2 className={css.title}>
          {count === 1 ? 'We found the date of 1 photo' : `We found the dates of ${count} photos`}
        </h2>
        <p className="aside">Based on when they were taken.</p>
      </div>
      <Actions className={css.ways}>
        <Button variant="primary" onClick={accept}>
          Sort them in
        </Button>
        <Button variant="text" onClick={dismiss}>
          Not now
        </Button>
      </Actions>
      <ul className={css.dates}>
        {proposals.map(({ date, ids }) => (
          <li key={date.id}>
            <b>{date.dateIdea.title}</b>
            <span className="num">{longDate(startOf(date), deviceZone())}</span>
            <span className="num">{plural(ids.length, 'photo')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sorted({ sorting: { sortedCount, undo } }: { sorting: Sorting }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone, so the focus moves to the heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className={css.done}>
      <div role="status" className={css.words}>
        <h2 className={css.title} ref={heading} tabIndex={-1}>
          {plural(sortedCount, 'photo')} sorted in
        </h2>
        <p className="aside">Each shows its date below, and can be moved to another.</p>
      </div>
      <Button onClick={undo}>Undo</Button>
    </section>
  );
}
