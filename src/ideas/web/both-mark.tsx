import { BOTH_WANT_THIS } from '../hearts.ts';
import css from './heart-button.module.css';
import { HeartsIcon } from './heart-icons.tsx';

/** The mark of an idea that both want. */
export function BothMark() {
  return (
    <p className={css.both}>
      <HeartsIcon />
      {BOTH_WANT_THIS}
    </p>
  );
}
