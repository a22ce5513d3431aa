import { recall } from '../../../base/web/storage/device-store.ts';

export type Appearance = 'device' | 'light' | 'dark';

/** The color scheme chosen on this device. */
export function storedAppearance(): Appearance {
  return (recall('appearance') as Appearance | null) ?? 'device';
}

/** Applies the stored color scheme to the page and to the browser's bars. Without one, the device decides. */
export function applyAppearance(): void {
  const appearance = storedAppearance();
  document.documentElement.dataset.scheme = appearance;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')) {
    // An empty media always matches.
    if (appearance === 'device') meta.media = `(prefers-color-scheme: ${meta.id})`;
    else meta.media = meta.id === appearance ? '' : 'not all';
  }
}
