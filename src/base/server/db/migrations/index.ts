import { theCouple } from './0.1.0/0001-the-couple.ts';
import { ideasAndDates } from './0.1.0/0002-ideas-and-dates.ts';
import { memories } from './0.1.0/0003-memories.ts';
import { replies } from './0.1.0/0004-replies.ts';
import { keeping } from './0.1.0/0005-keeping.ts';
import { datesByStart } from './0.1.0/0006-dates-by-start.ts';
import { calendarLinks } from './0.1.0/0007-calendar-links.ts';
import { uploadsInPieces } from './0.1.0/0008-uploads-in-pieces.ts';
import { celebrations } from './0.1.0/0009-celebrations.ts';
import { deletions } from './0.1.0/0010-deletions.ts';
import { reminders } from './0.1.0/0011-reminders.ts';
import { passkeys } from './0.1.0/0012-passkeys.ts';
import { sessionTokens } from './0.1.0/0013-session-tokens.ts';
import { strays } from './0.1.0/0014-strays.ts';
import { replyClaims } from './0.1.0/0015-reply-claims.ts';
import { setupCode } from './0.1.0/0016-setup-code.ts';
import { reminderDevices } from './0.1.0/0017-reminder-devices.ts';
import { challenges } from './0.1.0/0018-challenges.ts';
import { choreOwners } from './0.1.0/0019-chore-owners.ts';
import { plainTableNames } from './0.1.0/0020-plain-table-names.ts';
import { backgroundWork } from './1.0.0/0021-background-work.ts';
import { migrationKinds } from './1.0.0/0022-migration-kinds.ts';
import { undoWent } from './1.0.0/0023-undo-went.ts';
import { historyIndexes } from './1.0.0/0024-history-indexes.ts';
import { hearts } from './1.0.0/0025-hearts.ts';
import { notes } from './1.0.0/0026-notes.ts';
import { surprisesKeysAndImports } from './1.1.0/0027-surprises-keys-and-imports.ts';
import { fewerDateIndexes } from './1.1.0/0028-fewer-date-indexes.ts';
import { whenItHappened } from './1.1.0/0040-when-it-happened.ts';
import { correctedMemories } from './1.1.0/0041-corrected-memories.ts';
import { searchTexts } from './1.1.0/0045-search-texts.ts';
import { dateFormats } from './1.1.0/0046-date-formats.ts';
import { notLookedBackBy } from './1.1.0/0047-not-looked-back-by.ts';
import { suspensionAndQuota } from './1.1.0/0050-suspension-and-quota.ts';
import { mail } from './1.1.0/0051-mail.ts';
import { openIdConnect } from './1.1.0/0054-openid-connect.ts';
import type { Migrations } from './migration.ts';

/**
 * Every migration, in order. Its name is stored in the database and in backups, so it never changes. They form one list
 * in `base`, for all slices: their order is total, and later ones refer to tables of earlier ones. A new one is an expand
 * migration, or a remove migration that needs one of an earlier release (decision 29).
 */
export const migrations: Migrations = {
  '0001-the-couple': { kind: 'initial', up: theCouple },
  '0002-ideas-and-dates': { kind: 'initial', up: ideasAndDates },
  '0003-memories': { kind: 'initial', up: memories },
  '0004-replies': { kind: 'initial', up: replies },
  '0005-keeping': { kind: 'initial', up: keeping },
  '0006-dates-by-start': { kind: 'initial', up: datesByStart },
  '0007-calendar-links': { kind: 'initial', up: calendarLinks },
  '0008-uploads-in-pieces': { kind: 'initial', up: uploadsInPieces },
  '0009-celebrations': { kind: 'initial', up: celebrations },
  '0010-deletions': { kind: 'initial', up: deletions },
  '0011-reminders': { kind: 'initial', up: reminders },
  '0012-passkeys': { kind: 'initial', up: passkeys },
  '0013-session-tokens': { kind: 'initial', up: sessionTokens },
  '0014-strays': { kind: 'initial', up: strays },
  '0015-reply-claims': { kind: 'initial', up: replyClaims },
  '0016-setup-code': { kind: 'initial', up: setupCode },
  '0017-reminder-devices': { kind: 'initial', up: reminderDevices },
  '0018-challenges': { kind: 'initial', up: challenges },
  '0019-chore-owners': { kind: 'initial', up: choreOwners },
  '0020-plain-table-names': { kind: 'initial', up: plainTableNames },
  '0021-background-work': { kind: 'expand', up: backgroundWork },
  '0022-migration-kinds': { kind: 'expand', up: migrationKinds },
  '0023-undo-went': { kind: 'expand', up: undoWent },
  '0024-history-indexes': { kind: 'expand', up: historyIndexes },
  '0025-hearts': { kind: 'expand', up: hearts },
  '0026-notes': { kind: 'expand', up: notes },
  '0027-surprises-keys-and-imports': { kind: 'expand', up: surprisesKeysAndImports },
  '0028-fewer-date-indexes': { kind: 'remove', needs: '0024-history-indexes', up: fewerDateIndexes },
  '0040-when-it-happened': { kind: 'expand', up: whenItHappened },
  '0041-corrected-memories': { kind: 'expand', up: correctedMemories },
  '0045-search-texts': { kind: 'expand', up: searchTexts },
  '0046-date-formats': { kind: 'expand', up: dateFormats },
  '0047-not-looked-back-by': { kind: 'expand', up: notLookedBackBy },
  '0050-suspension-and-quota': { kind: 'expand', up: suspensionAndQuota },
  '0051-mail': { kind: 'expand', up: mail },
  '0054-openid-connect': { kind: 'expand', up: openIdConnect },
};

/** The name of the newest migration. */
export const latestMigration: string = Object.keys(migrations).sort().at(-1) ?? '';
