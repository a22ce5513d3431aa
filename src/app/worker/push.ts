import { platformZone } from '../../base/time.ts';
import { parseNotice, toNotification } from '../../reminders/notice.ts';

/** The part of the worker's global scope that push notifications use. */
export interface PushScope {
  addEventListener(type: 'push', listener: (event: PushLike) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickLike) => void): void;
  readonly registration: {
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowLike[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly location: { readonly origin: string };
}

interface PushLike {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickLike {
  readonly notification: { readonly data: unknown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

interface WindowLike {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

/** Phones do not support SVG icons in notifications. */
const ICON = '/icons/icon-192.png';

/** Shows pushed reminders as notifications, and opens their page when they are pressed (issue 5, Reminders). */
export function receivePushes(scope: PushScope): void {
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, event)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(open(scope, event)));
}

async function show({ registration }: PushScope, { data }: PushLike): Promise<void> {
  const notice = parseNotice(readJson(data));
  // Browsers require a notification for every push, even for one that we cannot read.
  if (!notice) return registration.showNotification('Our Love Story', { tag: 'unread', data: '/' });
  const { title, body, tag, path } = toNotification(notice, platformZone() ?? 'UTC');
  return registration.showNotification(title, { body, tag, data: path, icon: ICON });
}

function readJson(data: PushLike['data']): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Opens the link in an open window, which asks before it discards unsaved work, or in a new window. */
async function open({ clients, location }: PushScope, { notification }: ClickLike): Promise<void> {
  notification.close();
  const url = new URL(typeof notification.data === 'string' ? notification.data : '/', location.origin).href;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [one] = windows.filter((window) => new URL(window.url).origin === location.origin);
  if (!one) return void (await clients.openWindow(url));
  await one.focus();
  if (one.url !== url) await one.navigate(url).catch(() => clients.openWindow(url));
}
