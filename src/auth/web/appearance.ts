import { useState } from 'react';
import { recall, remember } from '../../base/web/device-store.ts';

/** How the app looks on this device (contract 5, settings, 'Appearance'). */
export const APPEARANCES = [
  { value: 'device', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export type Appearance = (typeof APPEARANCES)[number]['value'];

function remembered(): Appearance {
  const kept = recall('appearance');
  return APPEARANCES.find(({ value }) => value === kept)?.value ?? 'device';
}

/** Puts the remembered appearance on the page; without one the device decides. */
export function showAppearance(): void {
  const appearance = remembered();
  if (appearance === 'device') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = appearance;
}

/** This device's appearance, and how to change it: at once, and for the next visits. */
export function useAppearance(): [Appearance, (next: Appearance) => void] {
  const [appearance, setAppearance] = useState(remembered);
  return [
    appearance,
    (next) => {
      remember('appearance', next === 'device' ? null : next);
      showAppearance();
      setAppearance(next);
    },
  ];
}
