import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { userId } from '../../../auth/web/session/session.ts';
import type { SsrData } from '../../../base/ssr.ts';
import { recall } from '../../../base/web/device-store.ts';
import { deviceZone } from '../../../base/web/now.ts';
import { provideSsrRequest } from '../../../base/web/ssr.ts';
import { fetchAhead } from '../routing/change-page.ts';
import { keepScroll } from '../routing/restore-scroll.ts';
import { App } from '../shell/app.tsx';
import { delay } from './timing.ts';

/** Renders the page; a page that the server rendered is hydrated with the data that came with it. */
export async function startPage(ssr: SsrData | null): Promise<void> {
  fetchAhead();
  keepScroll();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const page = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  const sameUser = ssr !== null && userId() === (ssr.user as { readonly id: string }).id;
  if (sameUser) (await import('./hydrate-queries.ts')).hydrateQueries(ssr);
  if (!sameUser || !looksTheSame(ssr)) {
    provideSsrRequest(() => null);
    createRoot(root).render(page);
    return;
  }
  applyStyles(root);
  await delay();
  // A transition hydrates in short steps, between which the page scrolls and answers.
  startTransition(() => void hydrateRoot(root, page));
}

/**
 * Whether this device renders what the server did. Times of another zone and a gallery as a list have another layout,
 * so that page is rendered here instead. It loses no input: its fields were disabled.
 */
function looksTheSame({ zone }: SsrData): boolean {
  return zone === deviceZone() && recall('gallery') === null;
}

/** Applies the styles that the server wrote as `data-style` (server-jsx/jsx-runtime.ts). */
function applyStyles(root: HTMLElement): void {
  for (const { style, dataset } of root.querySelectorAll<HTMLElement>('[data-style]')) {
    for (const [name, value] of Object.entries(JSON.parse(dataset.style ?? '{}') as Record<string, string>)) {
      if (name.startsWith('--')) style.setProperty(name, value);
      else Object.assign(style, { [name]: value });
    }
  }
}
