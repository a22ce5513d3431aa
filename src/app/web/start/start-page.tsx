import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { prefetchLinkedScreens } from '../routing/change-screen-once-loaded.ts';
import { restoreScrollOnBack } from '../routing/restore-scroll-on-back.ts';
import { App } from '../shell/app.tsx';

/** Renders the app in place of the opening of `index.html`. */
export function startPage(): void {
  prefetchLinkedScreens();
  restoreScrollOnBack();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
