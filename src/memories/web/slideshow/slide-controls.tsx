import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { cx } from '../../../kit/web/cx.ts';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import css from './slideshow.module.css';

export interface SlideControlsProps {
  readonly isPlaying: boolean;
  /** Whether there is no other slide. */
  readonly isSingle: boolean;
  readonly onStep: (by: number) => void;
  readonly onToggle: () => void;
}

/** Previous, play and next: at the bottom on phones, with the arrows at the sides on larger screens. */
export function SlideControls({ isPlaying, isSingle, onStep, onToggle }: SlideControlsProps) {
  return (
    <div className={css.controls}>
      <IconButton label="Previous" icon={<ChevronLeft />} disabled={isSingle} onClick={() => onStep(-1)} />
      <IconButton
        label={isPlaying ? 'Pause' : 'Play'}
        icon={isPlaying ? <Pause /> : <Play />}
        className={cx(css.play)}
        data-first
        disabled={isSingle}
        onClick={onToggle}
      />
      <IconButton label="Next" icon={<ChevronRight />} disabled={isSingle} onClick={() => onStep(1)} />
    </div>
  );
}
