import { clockTime, type DateFormats, longDate } from '../base/date-formats.ts';
import { plural } from '../base/number-texts.ts';
import { notesPath } from '../dates/notes-path.ts';
import { paths } from '../paths.ts';
import type { ReminderKind } from './rules.ts';

/** The payload of a push, encrypted for one device. It suffices to show the notification without the network. */
export type PushNotice = DateNotice | RecoveryNotice;

/** Tells a user that the partner made a link for a new password, with which the partner could sign in as the user. */
export interface RecoveryNotice {
  readonly kind: 'recovery';
  /** The partner's name. */
  readonly by: string;
}

/** A notice about a date. */
export interface DateNotice {
  readonly kind: ReminderKind;
  readonly dateId: string;
  /** The idea's title. */
  readonly title: string;
  /** ISO. */
  readonly plannedDateTime: string;
  readonly location: string | null;
  /** Whether the date was started. */
  readonly inProgress: boolean;
  /** How the user reads dates and times; missing in a notice of an older version. */
  readonly formats?: DateFormats;
  /** Who added how many photographs; null for other kinds. */
  readonly added: { readonly by: string; readonly count: number } | null;
}

/** A notification to show. A device shows only one per `tag`. */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  /** A path of this app. */
  readonly path: string;
  /** Buttons. */
  readonly actions?: readonly { readonly action: PushAction; readonly title: string }[];
}

/** What a button of a notification does to the partner's link for a new password. */
export type PushAction = 'agree' | 'stop';

/** Turns a push into a notification. @param zone the device's time zone */
export function toNotification(notice: PushNotice, zone: string): NotificationContent {
  if (notice.kind === 'recovery') {
    return {
      title: `${notice.by} made a link for a new password for you.`,
      body: 'It works from tomorrow. Did you ask for it? If not, stop it.',
      tag: notice.kind,
      path: paths.home,
      actions: [
        { action: 'agree', title: 'Agree' },
        { action: 'stop', title: 'Stop' },
      ],
    };
  }
  const { kind, dateId, title, plannedDateTime, location, inProgress, formats = 'us', added } = notice;
  const at = Date.parse(plannedDateTime);
  const when = [clockTime(at, zone, formats), location].filter((part) => part !== null).join(' · ');
  const tag = `${kind} ${dateId}`;
  switch (kind) {
    case 'tomorrow':
      return {
        title: `Tomorrow: ${title}`,
        body: `${longDate(at, zone, formats)}, ${when}`,
        tag,
        path: paths.date(dateId),
      };
    case 'starting':
      return { title: `Soon: ${title}`, body: when, tag, path: paths.date(dateId) };
    case 'howWasIt':
      return {
        title: 'How was it?',
        body: `${title}: let’s write it down while it’s fresh.`,
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
    case 'notes':
      return {
        title: `You both wrote about ${title}`,
        body: 'Both notes are open now.',
        tag,
        path: notesPath(dateId),
      };
  }
}

/** Reads the payload of a push, or null if it isn't a notice of this app. */
export function parseNotice(data: unknown): PushNotice | null {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return null;
  return data.kind === 'recovery' || 'dateId' in data ? (data as PushNotice) : null;
}
