import { plural } from '../base/text.ts';
import { clockTime, longDate } from '../base/time.ts';
import { paths } from '../paths.ts';
import type { ReminderKind } from './rules.ts';

/** What a push carries, encrypted for one device: enough to say it without asking the server. */
export interface Notice {
  readonly kind: ReminderKind;
  readonly dateId: string;
  /** The idea's title. */
  readonly title: string;
  /** ISO. */
  readonly plannedDateTime: string;
  readonly location: string | null;
  /** Whether it was started. */
  readonly inProgress: boolean;
  /** Who added the photographs, and how many; null otherwise. */
  readonly added: { readonly by: string; readonly count: number } | null;
}

/** What is shown of it, and where it leads. Of the same `tag` a device shows one. */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** A path of this app. */
  readonly path: string;
}

/** The words of a reminder, times by the device's own clock, and the screen that it opens. */
export function toNotification(notice: Notice, zone: string): NotificationContent {
  const { kind, dateId, title, plannedDateTime, location, inProgress, added } = notice;
  const at = Date.parse(plannedDateTime);
  const when = [clockTime(at, zone), location].filter((part) => part !== null).join(' · ');
  const tag = `${kind} ${dateId}`;
  switch (kind) {
    case 'tomorrow':
      return { title: `Tomorrow: ${title}`, body: `${longDate(at, zone)}, ${when}`, tag, path: paths.date(dateId) };
    case 'starting':
      return { title: `Soon: ${title}`, body: when, tag, path: paths.date(dateId) };
    case 'howWasIt':
      return {
        title: 'How was it?',
        body: `${title}: let us keep it while it is fresh.`,
        tag,
        path: inProgress ? paths.completeDate(dateId) : paths.date(dateId),
      };
    case 'photographs':
      return {
        title: `${added?.by ?? 'Our partner'} added ${plural(added?.count ?? 1, 'photograph')}`,
        body: title,
        tag,
        path: paths.memoriesOf(dateId),
      };
  }
}

/** The notice that a push carried, or null where it is none of ours. */
export function parseNotice(data: unknown): Notice | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || !('dateId' in data)) return null;
  return data as Notice;
}
