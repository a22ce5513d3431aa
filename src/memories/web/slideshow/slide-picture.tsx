import { useState } from 'react';
import { mediumDate } from '../../../base/time.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useSwipe } from '../../../base/web/device/use-swipe.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { DrawnHeart } from '../../../kit/web/album/drawings.tsx';
import type { Memory } from '../../contract.ts';
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
        <Picture
          key={memory.id}
          memory={memory}
          alt={memory.caption ?? `Memory ${place + 1} of ${total}`}
          onReady={() => onReady(memory.id)}
        />
      )}
    </div>
  );
}

function Picture({ memory, alt, onReady }: { memory: Memory; alt: string; onReady: () => void }) {
  const { previewUrl, width, height, thumbHash } = memory;
  const [lost, setLost] = useState(false);
  const [there, setThere] = useState(false);
  const frame = { '--ar': (width / height).toFixed(4) };
  const fail = () => {
    setLost(true);
    onReady();
  };
  const loaded = (image: HTMLImageElement) => {
    const show = () => {
      setThere(true);
      onReady();
    };
    image.decode().then(show, show);
  };
  if (lost) {
    return (
      <span className={css.lost} role="img" aria-label={alt} style={frame}>
        <DrawnHeart />
      </span>
    );
  }
  return (
    <img
      className={css.picture}
      src={previewUrl}
      alt={alt}
      width={width}
      height={height}
      draggable={false}
      style={there ? frame : { ...frame, backgroundImage: `url(${blurOf(thumbHash)})` }}
      onLoad={(event) => loaded(event.currentTarget)}
      onError={fail}
    />
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
