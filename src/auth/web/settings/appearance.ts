import { recall } from '../../../base/web/device-store.ts';

/** How the app looks on this device (contract 5, settings, 'Appearance'). */
export const APPEARANCES = [
  { value: 'device', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export type Appearance = (typeof APPEARANCES)[number]['value'];

/** How it was chosen to look here. */
export function appearanceHere(): Appearance {
  const kept = recall('appearance');
  return APPEARANCES.find(({ value }) => value === kept)?.value ?? 'device';
}

/** Puts the remembered appearance on the page; without one the device decides. */
export function showAppearance(): void {
  const appearance = appearanceHere();
  if (appearance === 'device') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = appearance;
}
