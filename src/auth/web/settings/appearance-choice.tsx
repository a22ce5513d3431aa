import { useState } from 'react';
import { remember } from '../../../base/web/storage/device-store.ts';
import { cx } from '../../../kit/web/cx.ts';
import { type Appearance, applyAppearance, storedAppearance } from './appearance.ts';
import css from './appearance-choice.module.css';

/** The choices for the color scheme of this device. */
const CHOICES: readonly { readonly value: Appearance; readonly label: string }[] = [
  { value: 'device', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The setting for the color scheme on this device: three small albums, one of them selected. */
export function AppearanceChoice() {
  const [appearance, setAppearance] = useState(storedAppearance);
  // Applies at once, and is remembered for the next visits.
  const choose = (next: Appearance) => {
    remember('appearance', next === 'device' ? null : next);
    applyAppearance();
    setAppearance(next);
  };
  return (
    <fieldset className={css.looks}>
      <legend className="visually-hidden">Appearance</legend>
      {CHOICES.map(({ value, label }) => (
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
