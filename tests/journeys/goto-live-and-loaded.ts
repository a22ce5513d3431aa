import type { Page } from 'playwright-core';

/** Whether a request opens the event stream. */
export const isEvents = (request: { url(): string }) => request.url().endsWith('/api/events');

/** The chunk that a page loads last. A test cuts the connection only after it is loaded. */
const LAST_CHUNK = '/assets/chunk-of-idle-parts-';

/** Opens a screen and waits until it is connected to the event stream and has loaded all of its code. */
export async function gotoLiveAndLoaded(page: Page, path: string): Promise<void> {
  const connected = page.waitForResponse((response) => isEvents(response) && response.ok());
  const loaded = page.waitForEvent('requestfinished', (one) => one.url().includes(LAST_CHUNK));
  await page.goto(path);
  await Promise.all([connected, loaded]);
}
