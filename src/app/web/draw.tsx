import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../base/web/install.ts';
import { keepScroll } from './kept-scroll.ts';
import { App } from './shell.tsx';
import { fetchAhead } from './turning.ts';

/** Draws the page, and from then on fetches ahead what is about to be asked for. */
export function draw(): void {
  fetchAhead();
  keepScroll();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root.');
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
