import { afterEach, onTestFinished, vi } from 'vitest';
import { type CallName, splitName } from '../../src/base/call.ts';

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
  if (typeof input === 'string' && input.startsWith(location.origin)) return send();
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
export const UNTIL_RECONNECTED = { timeout: 25_000 };

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
