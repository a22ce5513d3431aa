import { mediumDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

export interface SlideWordsProps {
  readonly slides: Slides;
  readonly dates: readonly PlannedDate[];
  /** Whether screen readers announce changes: not while the slideshow plays. */
  readonly isLive: boolean;
}

/** The caption, the day, and the date's title. */
export function SlideWords({ slides: { memory }, dates, isLive }: SlideWordsProps) {
  const date = dates.find(({ id }) => id === memory?.plannedDateId);
  return (
    <div className={css.words} aria-live={isLive ? 'polite' : 'off'}>
      {memory?.caption && <p className="felt written clamp">{memory.caption}</p>}
      {memory && (
        <p className="aside num">
          {mediumDate(Date.parse(memory.happenedAt), deviceZone())}
          {date && (
            <>
              {' · '}
              <bdi>{date.dateIdea.title}</bdi>
            </>
          )}
        </p>
      )}
    </div>
  );
}
