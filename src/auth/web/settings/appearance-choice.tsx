import { useState } from 'react';
import { remember } from '../../../base/web/device-store.ts';
import { cx } from '../../../kit/web/cx.ts';
import { APPEARANCES, applyAppearance, storedAppearance } from './appearance.ts';
import css from './appearance-choice.module.css';

/** The setting for the color scheme on this device: three small albums, one of them selected. */
export function AppearanceChoice() {
  const [appearance, setAppearance] = useState(storedAppearance);
  // Applies at once, and is remembered for the next visits.
  const choose = (next: typeof appearance) => {
    remember('appearance', next === 'device' ? null : next);
    applyAppearance();
    setAppearance(next);
  };
  return (
    <fieldset className={css.looks}>
      <legend className="visually-hidden">Appearance</legend>
      {APPEARANCES.map(({ value, label }) => (
        <label key={value} className={css.look}>
          <input
            type="radio"
            name="appearance"
            value={value}
            checked={appearance === value}
            onChange={() => choose(value)}
          />
          {value !== 'dark' && <Album scheme={css.light} />}
          {value !== 'light' && <Album scheme={css.dark} />}
          <span className={css.word}>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Album({ scheme }: { scheme: string | undefined }) {
  return (
    <span className={cx(css.album, scheme)} aria-hidden="true">
      <i />
    </span>
  );
}
