import type { Migration } from 'kysely/migration';
import { up as theCouple } from './0001-the-couple.ts';
import { up as ideasAndDates } from './0002-ideas-and-dates.ts';
import { up as memories } from './0003-memories.ts';
import { up as replies } from './0004-replies.ts';
import { up as keeping } from './0005-keeping.ts';
import { up as datesByStart } from './0006-dates-by-start.ts';
import { up as calendarLinks } from './0007-calendar-links.ts';
import { up as uploadsInPieces } from './0008-uploads-in-pieces.ts';
import { up as celebrations } from './0009-celebrations.ts';
import { up as deletions } from './0010-deletions.ts';
import { up as reminders } from './0011-reminders.ts';
import { up as passkeys } from './0012-passkeys.ts';
import { up as sessionTokens } from './0013-session-tokens.ts';
import { up as strays } from './0014-strays.ts';
import { up as replyClaims } from './0015-reply-claims.ts';
import { up as setupCode } from './0016-setup-code.ts';
import { up as reminderDevices } from './0017-reminder-devices.ts';
import { up as challenges } from './0018-challenges.ts';
import { up as choreOwners } from './0019-chore-owners.ts';
import { up as plainTableNames } from './0020-plain-table-names.ts';
import { up as backgroundWork } from './0021-background-work.ts';

/**
 * Every migration, in order. Its name is stored in the database and in backups, so it never changes. They form one list
 * in `base`, for all slices: their order is total, and later ones refer to tables of earlier ones.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-the-couple': { up: theCouple },
  '0002-ideas-and-dates': { up: ideasAndDates },
  '0003-memories': { up: memories },
  '0004-replies': { up: replies },
  '0005-keeping': { up: keeping },
  '0006-dates-by-start': { up: datesByStart },
  '0007-calendar-links': { up: calendarLinks },
  '0008-uploads-in-pieces': { up: uploadsInPieces },
  '0009-celebrations': { up: celebrations },
  '0010-deletions': { up: deletions },
  '0011-reminders': { up: reminders },
  '0012-passkeys': { up: passkeys },
  '0013-session-tokens': { up: sessionTokens },
  '0014-strays': { up: strays },
  '0015-reply-claims': { up: replyClaims },
  '0016-setup-code': { up: setupCode },
  '0017-reminder-devices': { up: reminderDevices },
  '0018-challenges': { up: challenges },
  '0019-chore-owners': { up: choreOwners },
  '0020-plain-table-names': { up: plainTableNames },
  '0021-background-work': { up: backgroundWork },
};

/** The name of the newest migration. */
export const latestMigration: string = Object.keys(migrations).sort().at(-1) ?? '';
