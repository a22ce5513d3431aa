import { recall } from '../../../base/web/device-store.ts';

/** The choices for the color scheme of this device (contract 5, settings, 'Appearance'). */
export const APPEARANCES = [
  { value: 'device', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export type Appearance = (typeof APPEARANCES)[number]['value'];

/** The color scheme chosen on this device. */
export function storedAppearance(): Appearance {
  const stored = recall('appearance');
  return APPEARANCES.find(({ value }) => value === stored)?.value ?? 'device';
}

/** Applies the stored color scheme to the page. Without one, the device decides. */
export function applyAppearance(): void {
  const appearance = storedAppearance();
  if (appearance === 'device') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = appearance;
}
