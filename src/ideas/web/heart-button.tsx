import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import type { DateIdea } from '../contract.ts';
import css from './heart-button.module.css';
import { HeartIcon } from './heart-icons.tsx';

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
