import type { Page, Route } from 'playwright-core';

/**
 * How one request fails: an answer in the server's place; `cut`, which never reaches the server; `lost`, which the
 * server carries out and whose answer never arrives; or a handler.
 */
export type Answer =
  | { readonly status: number; readonly json?: unknown }
  | 'cut'
  | 'lost'
  | ((route: Route) => Promise<void>);

/**
 * Fails the next request of one call, for example `PUT /api/DateIdeas/*`, and lets every other request pass. Route
 * handlers that match by path alone also meet the page's background requests, and then fail the wrong one.
 */
export async function answerOnce(page: Page, call: string, answer: Answer): Promise<void> {
  const [method, path] = call.split(' ');
  let answered = false;
  await page.route(`**${path}`, async (route) => {
    if (answered || route.request().method() !== method) return route.fallback();
    answered = true;
    if (typeof answer === 'function') return answer(route);
    if (typeof answer === 'object') return route.fulfill(answer);
    if (answer === 'lost') await route.fetch();
    return route.abort('internetdisconnected');
  });
}
