import axe from 'axe-core';
import { afterEach, expect, onTestFinished, vi } from 'vitest';
import { cdp, commands, type Locator, page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { queryClient } from '../../src/app/web/queries/query-client.ts';
import { App } from '../../src/app/web/shell/app.tsx';
import { session } from '../../src/auth/web/session/session.ts';
import { signInWith } from '../../src/auth/web/session/sign-in-with.ts';
import { type CallName, splitName } from '../../src/base/call.ts';
import { setToken } from '../../src/base/web/net/access-token.ts';
import type { Memory } from '../../src/memories/contract.ts';
import { type Partner, registerCouple } from './client.ts';
import type { ImageOptions } from './images.ts';

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
export async function addPhoto(
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
export function keepNotices(): void {
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

/** What the server gets with each call; see `serve-components.ts`. */
const testHeaders: Record<string, string> = {};

/** Sets the time of the server for the calls of this file; null for the real time. */
export function setServerTime(at: number | null): void {
  delete testHeaders['x-test-now'];
  if (at !== null) testHeaders['x-test-now'] = String(at);
}

/** Sets the time of the server and of the page, where it then stands still. Timers run on. */
export function setTime(at: number): void {
  setServerTime(at);
  vi.useFakeTimers({ now: at, toFake: ['Date'] });
}

/** Sets which idea the server draws, by its place among those that it draws from. */
export function setDraw(place: number): void {
  testHeaders['x-test-draw'] = String(place);
}

/** Handles a call in place of `fetch`; `ask` sends it to the server. It throws for a connection that breaks. */
type Handler = (ask: () => Promise<Response>, headers: Headers) => Response | Promise<Response>;

interface HandledCalls {
  readonly method: string;
  readonly pattern: URLPattern;
  readonly handle: Handler;
  left: number;
}

let handled: HandledCalls[] = [];
const ask = globalThis.fetch.bind(globalThis);
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  const method = init?.method ?? 'GET';
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  const send = () => {
    for (const [key, value] of Object.entries(testHeaders)) headers.set(key, value);
    return ask(input, { ...init, headers });
  };
  // The partners of a test call by whole addresses. They are on devices of their own.
  if (typeof input === 'string' && input.startsWith(server.url)) return send();
  const found = handled.find((calls) => calls.left > 0 && calls.method === method && calls.pattern.test(url));
  if (!found) return isOffline ? Promise.reject(brokenConnection()) : send();
  found.left -= 1;
  return Promise.try(found.handle, send, headers);
};
afterEach(() => {
  handled = [];
  setOffline(false);
});

/**
 * Handles calls until the test is over, or until the returned function is called.
 * @param name such as `PUT /api/DateIdeas/*`; the star stands for a part of the path
 * @param times how many calls are handled; those after them go to the server
 */
export function handleCalls(name: CallName, handle: Handler, times = Number.POSITIVE_INFINITY): () => void {
  const { method, path } = splitName(name);
  const calls = { method, pattern: new URLPattern({ pathname: path }), handle, left: times };
  handled.unshift(calls);
  return () => {
    calls.left = 0;
  };
}

/** Lets calls fail as if the connection broke before they reached the server. */
export function failCalls(name: CallName, times?: number): () => void {
  return handleCalls(name, breakConnection, times);
}

function breakConnection(): never {
  throw brokenConnection();
}

function brokenConnection(): TypeError {
  return new TypeError('Failed to fetch');
}

/**
 * What answers an upload: the server, which saves it; nothing; a connection that breaks; an answer in the server's place; or
 * the server, once a promise is kept.
 */
export type UploadAnswer =
  | 'save'
  | 'never'
  | 'cut'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | Promise<unknown>;

/** A refusal by the server. */
export function refusal(status: number, message = '', headers: Readonly<Record<string, string>> = {}): UploadAnswer {
  const body = JSON.stringify({ status, message });
  return { status, headers: { 'content-type': 'application/problem+json', ...headers }, body };
}

/**
 * Answers the uploads of this test one after the other by what it says; the server saves those beyond. They use
 * XMLHttpRequest, since `fetch` reports no progress.
 * @returns the keys of the uploads so far
 */
export function answerUploads(...answers: readonly UploadAnswer[]): readonly string[] {
  const keys: string[] = [];
  const { send, setRequestHeader } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    if (name === 'idempotency-key') keys.push(value);
    setRequestHeader.call(this, name, value);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const answer = answers[keys.length - 1] ?? 'save';
    if (answer instanceof Promise) return void answer.then(() => send.call(this, body));
    if (answer !== 'save') setRequestHeader.call(this, 'x-test-answer', JSON.stringify(answer));
    send.call(this, body);
  };
  onTestFinished(() => void Object.assign(XMLHttpRequest.prototype, { send, setRequestHeader }));
  return keys;
}

/** Lets the server carry calls out, and loses their answers. */
export function loseAnswers(name: CallName, times?: number): () => void {
  return handleCalls(name, (ask) => ask().then(breakConnection), times);
}

/** How long to wait for what follows a connection: the page tries to reach the server every fifteen seconds. */
export const RECONNECT = { timeout: 25_000 };

let isOffline = false;

/** Takes the device offline until the test is over, or online again. Streams that are open stay open. */
export function setOffline(is: boolean): void {
  if (is === isOffline) return;
  isOffline = is;
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !is });
  dispatchEvent(new Event(is ? 'offline' : 'online'));
}

/** Answers calls with 204, as the server does without a body. */
export function acceptCalls(name: CallName): () => void {
  return handleCalls(name, () => new Response(null, { status: 204 }));
}

/** Lets the server say that it sends mail. The one behind these tests sends none. */
export function saysItSendsMail(): () => void {
  return handleCalls('GET /api/auth/status', async (ask) => {
    const status = (await (await ask()).json()) as object;
    return Response.json({ ...status, mail: true });
  });
}

/** Answers calls with a status of an error, and a message. */
export function refuseCalls(name: CallName, status: number, message?: string, times?: number): () => void {
  return handleCalls(name, () => Response.json(message === undefined ? {} : { message }, { status }), times);
}

/** Calls that wait. */
export interface HeldCalls {
  /** Fulfilled when the first one has arrived. */
  readonly asked: Promise<void>;
  /** Lets the server answer them, or breaks their connections. */
  release(): void;
}

/** Holds calls. Once they are released, the server answers them, or the connection breaks. */
export function holdCalls(name: CallName, then: 'answer' | 'break' = 'answer', times?: number): HeldCalls {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold: Handler = async (ask) => {
    asked.resolve();
    await released.promise;
    return then === 'break' ? breakConnection() : ask();
  };
  handleCalls(name, hold, times);
  return { asked: asked.promise, release: released.resolve };
}

/** Ends what `handleCalls` does at the next click, before the page knows. */
export function repairAtClick(repair: () => void): void {
  addEventListener('click', repair, { capture: true, once: true });
}

/** Sets whether the device asks for reduced motion, which it does in all other tests. */
export async function setReducedMotion(is: boolean): Promise<void> {
  await emulateMedia('light', is ? 'reduce' : 'no-preference');
}

function emulateMedia(scheme: 'light' | 'dark', motion: 'reduce' | 'no-preference'): Promise<unknown> {
  return cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: motion },
    ],
  });
}

const LOOKS = [
  { width: 360, scheme: 'dark' },
  { width: 768, scheme: null },
  { width: 1280, scheme: 'light' },
] as const;

/**
 * Finds what axe does on the screen that is shown, as a phone in the dark and as a light desktop, and horizontal overflow
 * there and on a tablet. Returns one line for each issue.
 */
export async function findIssuesAtEverySize(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, scheme } of LOOKS) {
    await page.viewport(width, 800);
    await emulateMedia(scheme ?? 'light', 'reduce');
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) found.push(`${name} at ${width}: wider than the screen by ${overflow}`);
    if (scheme === null) continue;
    found.push(...(await findIssues(`${name} at ${width}`)));
  }
  return found;
}

/** Finds what axe does on the screen that is shown. Returns one line for each issue. */
export async function findIssues(name: string): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  return violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`);
}
