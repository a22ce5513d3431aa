import { expect, it } from 'vitest';
import { type PushScope, receivePushes } from './push.ts';

const ORIGIN = 'https://ours.example';
const notice = {
  kind: 'howWasIt',
  dateId: 'd1',
  title: 'The slow lunch',
  plannedDateTime: '2026-11-22T12:00:00.000Z',
  location: null,
  inProgress: true,
  added: null,
};

/** A fake worker scope with open windows at `urls`. `dispatch` returns the recorded actions in order. */
function createScope(urls: readonly string[] = []) {
  const listeners = new Map<string, (event: never) => void>();
  const actions: unknown[] = [];
  const record = async (...what: unknown[]) => void actions.push(what);
  receivePushes({
    addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
    registration: { showNotification: (title: string, options: object) => record('show', title, options) },
    clients: {
      matchAll: async () =>
        urls.map((url) => ({
          url,
          focus: () => record('focus', url),
          navigate: (to: string) => record('navigate', to),
        })),
      openWindow: (url: string) => record('open', url),
    },
    location: { origin: ORIGIN },
  } as unknown as PushScope);
  const dispatch = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) } as never);
    await Promise.all(work);
    return actions.splice(0);
  };
  return { dispatch, record };
}

it('shows the notification of a push, and a default one if it cannot parse the push', async () => {
  const { dispatch } = createScope();
  expect(await dispatch('push', { data: { json: () => notice } })).toEqual([
    [
      'show',
      'How was it?',
      expect.objectContaining({ tag: 'howWasIt d1', data: '/planned-dates/d1/complete' }) as unknown,
    ],
  ]);
  for (const data of [null, { json: () => JSON.parse('{') as unknown }]) {
    expect(await dispatch('push', { data })).toEqual([['show', 'Our Love Story', { tag: 'unread', data: '/' }]]);
  }
});

it('opens it in an existing window, or else in a new one', async () => {
  const url = `${ORIGIN}/planned-dates/d1`;
  const press = (open: readonly string[]) => {
    const { dispatch, record } = createScope(open);
    return dispatch('notificationclick', {
      notification: { data: '/planned-dates/d1', close: () => void record('close') },
    });
  };
  expect(await press(['https://elsewhere.example/'])).toEqual([['close'], ['open', url]]);
  const dashboard = `${ORIGIN}/dashboard`;
  expect(await press([dashboard])).toEqual([['close'], ['focus', dashboard], ['navigate', url]]);
  expect(await press([url])).toEqual([['close'], ['focus', url]]);
});
