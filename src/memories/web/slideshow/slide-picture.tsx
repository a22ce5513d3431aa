import { mediumDate } from '../../../base/time.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useSwipe } from '../../../base/web/device/use-swipe.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Photo } from '../../../kit/web/album/print.tsx';
import { blurOf } from '../blur.ts';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

export interface SlidePictureProps {
  readonly slides: Slides;
  /** Called when this memory's picture has loaded, which starts the slide's time. */
  readonly onReady: (id: string) => void;
}

/** The picture of the slide, as large as fits, which can be swiped. */
export function SlidePicture({ slides, onReady }: SlidePictureProps) {
  const { memory, place, total, step } = slides;
  const { handlers, drawn } = useSwipe(step);
  return (
    <div className={css.stage} {...handlers} style={{ '--drawn': `${drawn}px` }}>
      {memory && (
        <span
          key={memory.id}
          className={css.picture}
          style={{ '--ar': (memory.width / memory.height).toFixed(4) }}
          // The picture is swiped, not dragged.
          onDragStart={(event) => event.preventDefault()}
        >
          <Photo
            src={memory.previewUrl}
            alt={memory.caption ?? `Memory ${place + 1} of ${total}`}
            width={memory.width}
            height={memory.height}
            blur={() => blurOf(memory.thumbHash)}
            eager
            onSettled={() => onReady(memory.id)}
          />
        </span>
      )}
    </div>
  );
}

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
