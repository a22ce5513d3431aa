import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Photo } from '../../../kit/web/album/photo.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import type { Memory } from '../../contract.ts';
import { blurOf } from '../blur.ts';
import { shownRatio } from '../gallery/lay-out-rows.ts';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

/** How far one press scrolls the strip, in pixels. */
const STEP = 200;
/** A thumbnail's height with its mat, in pixels. Its width follows from its proportions. */
const THUMB = 56;

/** A scrolling strip of thumbnails. Only visible ones are in the document. */
export function SlideStrip({ slides }: { slides: Slides }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { strip, place, onStrip } = slides;
  const center = useEffectEvent((at: number) => list.current?.scrollToIndex(at, { align: 'center', smooth: false }));
  useEffect(() => {
    center(place);
  }, [place]);
  const reportVisible = () => {
    const { current } = list;
    if (!current) return;
    const { scrollOffset, viewportSize } = current;
    onStrip(current.findItemIndex(scrollOffset), current.findItemIndex(scrollOffset + viewportSize));
  };
  const move = (by: number) => scroller.current?.scrollBy({ left: by, behavior: 'smooth' });
  return (
    <div className={css.strip}>
      <IconButton label="Scroll left" icon={<ChevronLeft />} onClick={() => move(-STEP)} />
      <div ref={scroller} className={css.thumbs}>
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={{ length: strip.length }}
          horizontal
          itemSize={THUMB * 1.4}
          onScroll={reportVisible}
          onResize={reportVisible}
        >
          {(_, n) => (
            <Thumb
              key={n}
              memory={strip.at(n)}
              label={`${n + 1} of ${slides.total}`}
              current={n === place}
              onClick={() => slides.goTo(n)}
            />
          )}
        </Virtualizer>
      </div>
      <IconButton label="Scroll right" icon={<ChevronRight />} onClick={() => move(STEP)} />
    </div>
  );
}

interface ThumbProps {
  /** Undefined while it loads. */
  readonly memory: Memory | undefined;
  readonly label: string;
  readonly current: boolean;
  readonly onClick: () => void;
}

function Thumb({ memory, label, current, onClick }: ThumbProps) {
  const ratio = memory ? shownRatio(memory) : 1;
  return (
    <button
      type="button"
      className={css.thumb}
      style={{ '--ar': ratio.toFixed(4) }}
      aria-label={label}
      aria-current={current}
      onClick={onClick}
    >
      {memory ? (
        <Photo src={memory.thumbnailUrl} width={ratio * 100} height={100} blur={() => blurOf(memory.thumbHash)} eager />
      ) : (
        <span className={css.coming} />
      )}
    </button>
  );
}
