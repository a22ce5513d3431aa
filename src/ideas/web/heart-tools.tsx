import { cx } from '../../kit/web/cx.ts';
import { Button } from '../../kit/web/forms/button.tsx';
import { BOTH_WANT_THIS } from '../hearts.ts';
import { DeckIcon, HeartsIcon } from './heart-icons.tsx';
import css from './heart-tools.module.css';

export interface HeartToolsProps {
  /** The number of ideas that both want. The filter is shown if there are any. */
  readonly count: number;
  /** Whether the list shows only these. */
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly onPick: () => void;
  readonly isPicking: boolean;
  readonly disabled: boolean;
}

/** Over the ideas: the filter 'We both want this (N)', and 'Pick for us' (ideas.hearts.8). */
export function HeartTools({ count, isOn, onChange, onPick, isPicking, disabled }: HeartToolsProps) {
  return (
    <div className={css.row}>
      {count > 0 && (
        <Button className={cx(css.filter)} icon={<HeartsIcon />} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
          {BOTH_WANT_THIS} ({count})
        </Button>
      )}
      <Button icon={<DeckIcon />} busy={isPicking} disabled={disabled} onClick={onPick}>
        Pick for us
      </Button>
    </div>
  );
}
