import { expect, onTestFinished, vi } from 'vitest';
import { commands, type Locator, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { queryClient } from '../../src/app/web/queries/query-client.ts';
import { App } from '../../src/app/web/shell/app.tsx';
import { session } from '../../src/auth/web/session/session.ts';
import { signInWith } from '../../src/auth/web/session/sign-in-with.ts';
import { setToken } from '../../src/base/web/net/access-token.ts';
import type { Memory } from '../../src/memories/contract.ts';
import type { ImageOptions } from './images.ts';
import type { Partner } from './partner.ts';
import { registerCouple } from './register-couple.ts';

/** What the tests of components share: they show the app in their own page, on the real API of `serve-components.ts`. */
const server = { url: location.origin };

export interface Couple {
  readonly ada: Partner;
  readonly ben: Partner;
}

/** Registers a couple, by default in UTC. Both know their partner, as on a page that is opened after the second has joined. */
export async function registerUs(timeZone?: string): Promise<Couple> {
  const us = await registerCouple(server, timeZone);
  const { body } = await us.ada.call('GET /api/auth/session');
  return { ...us, ada: Object.assign(us.ada, { user: body.user }) };
}

/** Shows a screen to a user who has just signed in there. The device keeps what it has seen of the same user. */
export async function show(path: string, who: Pick<Partner, 'token' | 'user'>): Promise<void> {
  await cleanup();
  queryClient.clear();
  history.replaceState(null, '', path);
  signInWith({ token: who.token ?? '', expiresAt: '2099-01-01T00:00:00.000Z', user: who.user });
  await render(<App />);
}

/** Shows a screen to a visitor. */
export async function showSignedOut(path: string): Promise<void> {
  await cleanup();
  queryClient.clear();
  history.replaceState(null, '', path);
  setToken(null);
  session.set({ is: 'out' });
  await render(<App />);
}

/** A photograph, as it is chosen from the device. Another seed is another photograph. */
export async function makePhoto(name: string, options: ImageOptions = {}): Promise<File> {
  const bytes = atob(await commands.makeJpeg({ width: 60, height: 40, ...options }));
  return new File([Uint8Array.from(bytes, (one) => one.charCodeAt(0))], name, { type: 'image/jpeg' });
}

/** Uploads a small photograph. */
export async function uploadPhoto(
  who: Partner,
  dateId: string,
  seed = 1,
  caption?: string,
  options?: ImageOptions,
): Promise<Memory> {
  const form = new FormData();
  form.set('PlannedDateId', dateId);
  if (caption !== undefined) form.set('Caption', caption);
  form.set('ImageFile', await makePhoto(`photo-${seed}.jpg`, { seed, ...options }));
  const { status, body } = await who.call('POST /api/Memories', { body: form });
  if (status !== 201) throw new Error(`Refused with ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The address of the screen that is shown. */
export function address(): string {
  return location.pathname + location.search;
}

/** The texts of all matching elements, each in one line. */
export function textsOf(all: Locator): string[] {
  return all.elements().map((element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim());
}

/** Moves the focus to an element, as the Tab key does. */
export function focus(target: Locator): void {
  (target.element() as HTMLElement).focus();
}

/** Clicks without moving faked timers. A locator's own click advances them as long as it takes, and so does a hover. */
export function clickAtOnce(target: Locator): void {
  (target.element() as HTMLElement).click();
}

/** Moves the focus to an element, and presses a key there. */
export async function press(target: Locator, key: string): Promise<void> {
  await expect.element(target).toBeVisible();
  focus(target);
  await userEvent.keyboard(`{${key}}`);
}

/** Keeps notices and celebrations, which end after five to ten seconds, until the test is over. */
export function keepNoticesOpen(): void {
  const start = globalThis.setTimeout;
  const slow = ((work: () => void, ms = 0) => start(work, ms < 5_000 || ms > 10_000 ? ms : ms * 100)) as typeof start;
  globalThis.setTimeout = slow;
  onTestFinished(() => {
    globalThis.setTimeout = start;
  });
}

/** Lets React render what an event or a timer has changed. Its scheduler uses message channels, which are never faked. */
async function letReactRender(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    });
  }
}

/**
 * Advances the faked timers, and lets React render before and after. `expect.poll` and `expect.element` advance them too, so
 * that a test of an exact time looks at once.
 */
export async function advance(ms: number): Promise<void> {
  await letReactRender();
  await vi.advanceTimersByTimeAsync(ms);
  await letReactRender();
}
