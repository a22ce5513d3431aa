import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import type { DateIdea } from '../contract.ts';
import { BOTH_WANT_THIS } from '../hearts.ts';
import { HeartIcon, HeartsIcon } from './heart-icons.tsx';
import css from './heart-marks.module.css';

export interface HeartButtonProps {
  readonly idea: DateIdea;
  /** The id of the element with the idea's title, which tells the buttons of a list apart. */
  readonly titleId: string;
  readonly onPress: (idea: DateIdea) => void;
}

/** The toggle button 'Heart' on an idea's card (ideas.hearts.6). */
export function HeartButton({ idea, titleId, onPress }: HeartButtonProps) {
  return (
    <IconButton
      label="Heart"
      icon={<HeartIcon />}
      className={css.heart}
      aria-pressed={idea.hearts.mine}
      aria-describedby={titleId}
      onClick={() => onPress(idea)}
    />
  );
}

/** The mark of an idea that both want. */
export function BothMark() {
  return (
    <p className={css.both}>
      <HeartsIcon />
      {BOTH_WANT_THIS}
    </p>
  );
}
