import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { cx } from '../cx.ts';
import { IconButton } from './icon-button.tsx';
import css from './play-controls.module.css';

export interface PlayControlsProps {
  /** The labels of the two arrows. */
  readonly labels: { readonly previous: string; readonly next: string };
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isPlaying: boolean;
  readonly onStep: (by: number) => void;
  /** Null where nothing plays by itself. */
  readonly onToggle: (() => void) | null;
  readonly className: string | undefined;
}

/** Previous, play and next. The arrows are the first and the last child. */
export function PlayControls({ labels, isFirst, isLast, isPlaying, onStep, onToggle, className }: PlayControlsProps) {
  return (
    <div className={cx(css.controls, className)}>
      <IconButton label={labels.previous} icon={<ChevronLeft />} disabled={isFirst} onClick={() => onStep(-1)} />
      {onToggle && (
        <IconButton
          label={isPlaying ? 'Pause' : 'Play'}
          icon={isPlaying ? <Pause /> : <Play />}
          className={cx(css.play)}
          data-first
          disabled={isFirst && isLast}
          onClick={onToggle}
        />
      )}
      <IconButton label={labels.next} icon={<ChevronRight />} disabled={isLast} onClick={() => onStep(1)} />
    </div>
  );
}
