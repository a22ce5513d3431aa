import type { First } from '../first.ts';

let source: () => First | null = () => null;

/** Says where to read what the first page is drawn with: on the server each request has its own. */
export function readFirstFrom(next: () => First | null): void {
  source = next;
}

/** What the first page was drawn with; null where the server has drawn none. */
export function first(): First | null {
  return source();
}

/** The same, for what is only asked while the server draws, and while what it has drawn comes alive. */
export function drawnWith(): First {
  const now = source();
  if (now === null) throw new Error('There is no page that the server has drawn.');
  return now;
}

/** Whether this is the server, where there is no browser's page. */
export const isServer = !('document' in globalThis);

/** What the server draws with, there; null in a browser, which knows its own address and zone. */
export function onServer(): First | null {
  return isServer ? drawnWith() : null;
}
