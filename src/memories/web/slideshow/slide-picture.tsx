import { useSwipe } from '../../../base/web/device/use-swipe.ts';
import { Photo } from '../../../kit/web/album/photo.tsx';
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
