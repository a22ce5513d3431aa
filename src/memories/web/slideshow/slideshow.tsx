import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useVisibleTimer } from '../../../base/web/device/timers.ts';
import { useReducedMotion } from '../../../base/web/device/use-reduced-motion.ts';
import { useWakeLock } from '../../../base/web/device/use-wake-lock.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Dialog, useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { PlayControls } from '../../../kit/web/forms/play-controls.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import { useMemoryEditing } from '../edit/use-memory-editing.tsx';
import type { MemoryList } from '../queries.ts';
import { useMemoryDeletion } from '../use-memory-deletion.ts';
import { SlideBar } from './slide-bar.tsx';
import { SlidePicture } from './slide-picture.tsx';
import { SlideStrip } from './slide-strip.tsx';
import { SlideWords } from './slide-words.tsx';
import css from './slideshow.module.css';
import { type Slide, type Slides, useSlides } from './use-slides.ts';

export interface SlideshowProps {
  readonly list: MemoryList;
  /** For the dates' titles. */
  readonly dates: readonly PlannedDate[];
  readonly start: Slide;
  readonly onClose: () => void;
}

export type { Slide };

/** Milliseconds per slide after its picture has loaded (memories.slideshow.3). */
const SLIDE_MS = 4000;

/** The slideshow over the whole screen (memories.slideshow.1). */
export function Slideshow({ onClose, ...show }: SlideshowProps) {
  const dialog = useDialog();
  const close = (closed: HTMLDialogElement) => {
    onClose();
    // The print that opened it, and should have the focus again, may have been deleted, or is about to disappear.
    const { activeElement: focused } = document;
    const isLost = focused === document.body || closed.contains(focused);
    if (isLost || closed.returnValue === 'empty') focusMain();
  };
  return (
    <Dialog ref={dialog} className={css.dialog} aria-label="Slideshow" onClose={close}>
      <Show {...show} onClose={(why) => dialog.current?.close(why)} />
    </Dialog>
  );
}

interface ShowProps extends Omit<SlideshowProps, 'onClose'> {
  readonly onClose: (why?: 'empty') => void;
}

function Show({ list, dates, start, onClose }: ShowProps) {
  const slides = useSlides(list, start);
  const { memory, total, step } = slides;
  const [ready, setReady] = useState<string | null>(null);
  const isStill = useReducedMotion();
  const [isPlaying, setPlaying] = useState(total > 1 && !isStill);
  const [isAsking, setAsking] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const remove = useMemoryDeletion();
  const editing = useMemoryEditing();
  const isHeld = isAsking || editing.isEditing;
  const isRunning = isPlaying && total > 1 && !isHeld;
  useVisibleTimer(isRunning && memory !== undefined && ready === memory.id ? memory.id : null, SLIDE_MS, () => step(1));
  useWakeLock(isRunning);
  usePreloaded(slides.ahead);
  useClosedWhenEmpty(total === 0 && !isHeld, () => onClose('empty'));
  const toggle = () => setPlaying(!isPlaying);
  const ask = async () => {
    if (!memory) return;
    setAsking(true);
    await remove(memory);
    setAsking(false);
  };
  return (
    <>
      <div
        ref={screen}
        className={css.show}
        // The keys work wherever the focus is in the slideshow.
        role="presentation"
        onKeyDown={(event) => turnByKey(event, step, toggle)}
      >
        <SlideBar
          slides={slides}
          screen={screen}
          onEdit={editing.edit}
          onDelete={() => void ask()}
          onClose={() => onClose()}
        />
        <SlidePicture slides={slides} onReady={setReady} />
        <SlideWords slides={slides} dates={dates} isLive={!isRunning} />
        <PlayControls
          labels={{ previous: 'Previous', next: 'Next' }}
          isFirst={total < 2}
          isLast={total < 2}
          isPlaying={isPlaying}
          onStep={step}
          onToggle={toggle}
          className={css.controls}
        />
        <SlideStrip slides={slides} />
      </div>
      {editing.dialog}
    </>
  );
}

/** Arrows change the slide, and space plays or pauses. Buttons use Enter, and the dialog handles Escape. */
function turnByKey(event: KeyboardEvent, step: (by: number) => void, toggle: () => void): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const act: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ' ': toggle,
  };
  const found = act[event.key];
  if (!found) return;
  event.preventDefault();
  found();
}

/** Preloads the next pictures. */
function usePreloaded(ahead: Slides['ahead']): void {
  const urls = ahead.map(({ previewUrl }) => previewUrl).join(' ');
  useEffect(() => {
    const images = urls.split(' ').map((url) => {
      const image = new Image();
      image.fetchPriority = 'low';
      image.src = url;
      return image;
    });
    return () => {
      // Cancel downloads that are no longer needed.
      for (const image of images) if (!image.complete) image.src = '';
    };
  }, [urls]);
}

function useClosedWhenEmpty(isEmpty: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isEmpty) close();
  }, [isEmpty]);
}
