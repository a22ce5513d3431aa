import { platformZone } from '../../base/time-zones.ts';
import { parseNotice, toNotification } from '../../reminders/push-notice.ts';
import { agreeOrStopRecovery } from './agree-or-stop-recovery.ts';

/** The part of the worker's global scope that push notifications use. */
export interface NotificationScope {
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
  fetch(path: string, init: RequestInit): Promise<Response>;
}

interface PushLike {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface ClickLike {
  readonly notification: { readonly data: unknown; close(): void };
  /** The button that was pressed; empty for the notification itself. */
  readonly action: string;
  waitUntil(work: Promise<unknown>): void;
}

interface WindowLike {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

/** Phones do not support SVG icons in notifications. */
const ICON = '/icons/icon-192.png';

/**
 * Shows pushed messages as notifications, and opens their page when they are pressed (reminders.8). The buttons of one
 * about a link for a new password agree to the link or stop it.
 */
export function handleNotifications(scope: NotificationScope): void {
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, event)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(press(scope, event)));
}

async function show({ registration }: NotificationScope, { data }: PushLike): Promise<void> {
  const notice = parseNotice(readJson(data));
  // Browsers require a notification for every push, even for one that we cannot read.
  if (!notice) return registration.showNotification('Our Love Story', { tag: 'unread', data: '/' });
  const { title, body, tag, path, actions } = toNotification(notice, platformZone() ?? 'UTC');
  // TypeScript's types lack the buttons.
  const options: NotificationOptions & { actions?: unknown } = { body, tag, data: path, icon: ICON };
  return registration.showNotification(title, actions ? { ...options, actions } : options);
}

function readJson(data: PushLike['data']): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Does what a button says. Where that fails, it opens the page, whose notice has the same buttons. */
async function press(scope: NotificationScope, event: ClickLike): Promise<void> {
  const { action, notification } = event;
  notification.close();
  const isAnswer = action === 'agree' || action === 'stop';
  if (isAnswer && (await agreeOrStopRecovery(scope, action).catch(() => false))) return;
  await open(scope, notification.data);
}

/** Opens the link in an open window, which asks before it discards unsaved work, or in a new window. */
async function open({ clients, location }: NotificationScope, path: unknown): Promise<void> {
  const url = new URL(typeof path === 'string' ? path : '/', location.origin).href;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [one] = windows.filter((window) => new URL(window.url).origin === location.origin);
  if (!one) return void (await clients.openWindow(url));
  await one.focus();
  if (one.url !== url) await one.navigate(url).catch(() => clients.openWindow(url));
}
