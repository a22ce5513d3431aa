import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { IconButton } from '../../base/web/ui/icon-button.tsx';
import { Photo } from '../../base/web/ui/print.tsx';
import { blurOf } from './blur.ts';
import { shownRatio } from './rows.ts';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

/** How far one press moves the strip, in pixels (spec 9, Slideshow). */
const STEP = 200;
/** A thumbnail's height and the mat around it; its width follows from its proportions. */
const THUMB = 56;

/** The thumbnails in a strip that can be moved; only those in sight are in the document. */
export function SlideStrip({ slides }: { slides: Slides }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { memories, from } = slides.strip;
  const at = slides.place - from;
  const centre = useEffectEvent(() => list.current?.scrollToIndex(at, { align: 'center', smooth: false }));
  useEffect(() => {
    if (at >= 0) centre();
  }, [at]);
  const move = (by: number) => scroller.current?.scrollBy({ left: by, behavior: 'smooth' });
  return (
    <div className={css.strip}>
      <IconButton label="Scroll left" icon={<ChevronLeft />} onClick={() => move(-STEP)} />
      <div ref={scroller} className={css.thumbs}>
        <Virtualizer ref={list} scrollRef={scroller} data={memories} horizontal itemSize={THUMB * 1.4}>
          {(memory, n) => (
            <button
              key={memory.id}
              type="button"
              className={css.thumb}
              style={{ '--ar': shownRatio(memory).toFixed(4) }}
              aria-label={`${from + n + 1} of ${slides.total}`}
              aria-current={n === at}
              onClick={() => slides.goTo(memory)}
            >
              <Photo
                src={memory.thumbnailUrl}
                width={shownRatio(memory) * 100}
                height={100}
                blur={blurOf(memory.thumbHash)}
                eager
              />
            </button>
          )}
        </Virtualizer>
      </div>
      <IconButton label="Scroll right" icon={<ChevronRight />} onClick={() => move(STEP)} />
    </div>
  );
}
