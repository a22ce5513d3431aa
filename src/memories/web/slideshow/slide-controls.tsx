import { ChevronLeft, ChevronRight, Download, Maximize, Minimize, Pause, Play, Trash2, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { cx } from '../../../kit/web/cx.ts';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

export interface SlideBarProps {
  readonly slides: Slides;
  /** What fills the screen in full screen: a `dialog` itself may not. */
  readonly screen: RefObject<HTMLElement | null>;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** Where we are, and what can be done with the slide. */
export function SlideBar({ slides, screen, onDelete, onClose }: SlideBarProps) {
  const { memory, place, total } = slides;
  return (
    <div className={css.bar}>
      <p className="num">
        {place + 1} / {total}
      </p>
      <div className={css.tools}>
        <FullScreenButton screen={screen} />
        {memory && (
          <a className={css.download} href={memory.imageUrl} download={memory.originalFileName} title="Download">
            <Download />
            <span className="visually-hidden">Download</span>
          </a>
        )}
        <IconButton label="Delete" icon={<Trash2 />} disabled={!memory} onClick={onDelete} />
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </div>
    </div>
  );
}

/** Phones of Apple's have no full screen for pages. */
function FullScreenButton({ screen }: { screen: SlideBarProps['screen'] }) {
  const [full, setFull] = useState(false);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => {
    const change = full ? document.exitFullscreen() : screen.current?.requestFullscreen();
    change?.catch(() => undefined);
  };
  return (
    <IconButton
      label={full ? 'Leave full screen' : 'Full screen'}
      icon={full ? <Minimize /> : <Maximize />}
      onClick={toggle}
    />
  );
}

export interface SlideControlsProps {
  readonly playing: boolean;
  /** There is nothing to turn to. */
  readonly alone: boolean;
  readonly onStep: (by: number) => void;
  readonly onToggle: () => void;
}

/** Under the thumb on a phone; on the desk the arrows stand at the sides. */
export function SlideControls({ playing, alone, onStep, onToggle }: SlideControlsProps) {
  return (
    <div className={css.controls}>
      <IconButton label="Previous" icon={<ChevronLeft />} disabled={alone} onClick={() => onStep(-1)} />
      <IconButton
        label={playing ? 'Pause' : 'Play'}
        icon={playing ? <Pause /> : <Play />}
        className={cx(css.play)}
        data-first
        disabled={alone}
        onClick={onToggle}
      />
      <IconButton label="Next" icon={<ChevronRight />} disabled={alone} onClick={() => onStep(1)} />
    </div>
  );
}
