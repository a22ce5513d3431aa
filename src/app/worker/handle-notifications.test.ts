import { expect, it } from 'vitest';
import { handleNotifications, type NotificationScope } from './handle-notifications.ts';

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
function createScope(urls: readonly string[] = [], statuses: readonly number[] = []) {
  const listeners = new Map<string, (event: never) => void>();
  const actions: unknown[] = [];
  const answers = [...statuses];
  const record = async (...what: unknown[]) => void actions.push(what);
  handleNotifications({
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
    fetch: async (path: string, { method, headers }: RequestInit) => {
      await record(method, path, headers ?? null);
      const status = answers.shift();
      const body = status === 204 ? null : JSON.stringify({ token: 'a token' });
      return new Response(body, { status: status ?? 200 });
    },
  } as unknown as NotificationScope);
  const dispatch = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) } as never);
    await Promise.all(work);
    return actions.splice(0);
  };
  return { dispatch, record };
}

it('shows the notification of a push, and a default one if it cannot parse the push', {
  tags: ['reminders.8'],
}, async () => {
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

it('opens the page of a pressed notification in an existing window, or else in a new one', {
  tags: ['reminders.8'],
}, async () => {
  const url = `${ORIGIN}/planned-dates/d1`;
  const press = (open: readonly string[]) => {
    const { dispatch, record } = createScope(open);
    return dispatch('notificationclick', {
      action: '',
      notification: { data: '/planned-dates/d1', close: () => void record('close') },
    });
  };
  expect(await press(['https://elsewhere.example/'])).toEqual([['close'], ['open', url]]);
  const dashboard = `${ORIGIN}/dashboard`;
  expect(await press([dashboard])).toEqual([['close'], ['focus', dashboard], ['navigate', url]]);
  expect(await press([url])).toEqual([['close'], ['focus', url]]);
});

const link = { kind: 'recovery', by: 'Ada' };

it('shows a link for a new password with its buttons', { tags: ['secrets.recovery.2'] }, async () => {
  const { dispatch } = createScope();
  const actions = [
    { action: 'agree', title: 'Agree' },
    { action: 'stop', title: 'Stop' },
  ];
  const title = 'Ada made a link for a new password for you.';
  expect(await dispatch('push', { data: { json: () => link } })).toEqual([
    ['show', title, expect.objectContaining({ tag: 'recovery', data: '/dashboard', actions }) as unknown],
  ]);
});

it('agrees or stops by a button, also if that was done before, and opens the page where it fails', {
  tags: ['secrets.recovery.2'],
}, async () => {
  const press = (action: string, statuses: readonly number[]) => {
    const { dispatch, record } = createScope([], statuses);
    return dispatch('notificationclick', {
      action,
      notification: { data: '/dashboard', close: () => void record('close') },
    });
  };
  const renewed = [['close'], ['POST', '/api/auth/renew', null]];
  const headers = { authorization: 'Bearer a token' };
  const agreed = [...renewed, ['POST', '/api/auth/recovery/agree', headers]];
  const stopped = [...renewed, ['DELETE', '/api/auth/recovery', headers]];
  const opened = ['open', `${ORIGIN}/dashboard`];
  expect(await press('agree', [200, 204])).toEqual(agreed);
  expect(await press('stop', [200, 204])).toEqual(stopped);
  expect(await press('stop', [200, 404])).toEqual(stopped);
  expect(await press('agree', [200, 503])).toEqual([...agreed, opened]);
  expect(await press('stop', [401])).toEqual([...renewed, opened]);
});
