import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { userId } from '../../../auth/web/session/session.ts';
import type { SsrData } from '../../../base/ssr.ts';
import { recall } from '../../../base/web/device-store.ts';
import { deviceZone } from '../../../base/web/now.ts';
import { provideSsrRequest } from '../../../base/web/ssr.ts';
import { prefetchLinkedScreens } from '../routing/change-page.ts';
import { restoreScrollOnBack } from '../routing/restore-scroll.ts';
import { App } from '../shell/app.tsx';
import { delay } from './timing.ts';

/** Renders the page, or hydrates it if the server rendered it. */
export async function startPage(ssr: SsrData | null): Promise<void> {
  prefetchLinkedScreens();
  restoreScrollOnBack();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const page = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  const sameUser = ssr !== null && userId() === (ssr.user as { readonly id: string }).id;
  if (sameUser) (await import('./hydrate-queries.ts')).hydrateQueries(ssr);
  if (!sameUser || !canHydrate(ssr)) {
    provideSsrRequest(() => null);
    createRoot(root).render(page);
    return;
  }
  applyStyles(root);
  await delay();
  // A transition hydrates in short steps, so the page can scroll and respond between them.
  startTransition(() => void hydrateRoot(root, page));
}

/**
 * Whether this device renders the same HTML as the server. A different time zone or the list view of the gallery
 * changes the layout, so the browser renders those pages from scratch. No input is lost: the fields were disabled.
 */
function canHydrate({ zone }: SsrData): boolean {
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
