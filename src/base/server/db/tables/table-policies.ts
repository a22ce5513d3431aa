import type { Tables } from './tables.ts';

type TablePolicy<T> = {
  /** The columns of the primary key. */
  readonly key: readonly (keyof T & string)[];
  /** Whether backups include it. */
  readonly backedUp: boolean;
};

/**
 * Each table's primary key, and whether backups include it. A new table doesn't compile until it is listed here. Tables
 * come after those that they reference. Excluded are short-lived rows (`tries`, `pendingFiles`), rows that can be
 * recomputed (`damagedFiles`), and credentials: a session or code that was revoked after the backup must not come back.
 */
export const tablePolicies: { readonly [T in keyof Tables]: TablePolicy<Tables[T]> } = {
  couples: { key: ['id'], backedUp: true },
  users: { key: ['coupleId', 'id'], backedUp: true },
  sessions: { key: ['coupleId', 'userId', 'id'], backedUp: false },
  sessionTokens: { key: ['coupleId', 'userId', 'sessionId', 'tokenHash'], backedUp: false },
  codes: { key: ['coupleId', 'id'], backedUp: false },
  tries: { key: ['key'], backedUp: false },
  ideas: { key: ['coupleId', 'id'], backedUp: true },
  hearts: { key: ['coupleId', 'ideaId', 'userId'], backedUp: true },
  dates: { key: ['coupleId', 'id'], backedUp: true },
  notes: { key: ['coupleId', 'dateId', 'userId'], backedUp: true },
  leftNotes: { key: ['coupleId', 'dateId', 'userId'], backedUp: true },
  surprises: { key: ['coupleId', 'dateId'], backedUp: true },
  memories: { key: ['coupleId', 'id'], backedUp: true },
  pendingFiles: { key: ['coupleId', 'fileName'], backedUp: false },
  replies: { key: ['coupleId', 'key'], backedUp: true },
  // Unfinished uploads start over. Their parts aren't photos yet.
  uploads: { key: ['coupleId', 'id'], backedUp: false },
  pieces: { key: ['coupleId', 'uploadId', 'stem'], backedUp: false },
  scheduledJobs: { key: ['name'], backedUp: false },
  damagedFiles: { key: ['coupleId', 'fileName'], backedUp: false },
  // A restored album must not delete itself because of a request that was withdrawn after the backup.
  deletions: { key: ['coupleId'], backedUp: false },
  erasures: { key: ['coupleId'], backedUp: false },
  // A link that was revoked after the backup must not work again.
  calendarLinks: { key: ['coupleId', 'userId'], backedUp: false },
  celebrations: { key: ['coupleId', 'userId', 'milestone'], backedUp: true },
  // Devices belong to sessions, and without devices the keys are useless.
  vapidKeys: { key: ['id'], backedUp: false },
  pushDevices: { key: ['coupleId', 'userId', 'sessionId'], backedUp: false },
  reminderChecks: { key: ['coupleId'], backedUp: false },
  reminderChoices: { key: ['coupleId', 'userId'], backedUp: true },
  reminders: { key: ['coupleId', 'userId', 'sessionId', 'key'], backedUp: false },
  toldReminders: { key: ['coupleId', 'userId', 'device', 'key'], backedUp: false },
  // A passkey that was removed after the backup must not work again.
  passkeys: { key: ['coupleId', 'userId', 'id'], backedUp: false },
  challenges: { key: ['challengeHash'], backedUp: false },
  // A mail that was sent after the backup must not be sent again.
  mails: { key: ['id'], backedUp: false },
  // An account without a password has no other way to sign in after a restore.
  oidcConnections: { key: ['coupleId', 'userId'], backedUp: true },
  oidcStarts: { key: ['stateHash'], backedUp: false },
  oidcArrivals: { key: ['browserHash'], backedUp: false },
  // An empty server creates its own.
  setupCodes: { key: ['id'], backedUp: false },
  strays: { key: ['coupleId', 'fileName'], backedUp: false },
  importedFiles: { key: ['coupleId', 'fileName'], backedUp: false },
  // A restored database gets its own identity.
  storeIdentity: { key: ['name'], backedUp: false },
  addedPhotos: { key: ['coupleId', 'userId', 'dateId'], backedUp: false },
  // The migrations of a restore write their own.
  migrationKinds: { key: ['name'], backedUp: false },
};

/** The tables of a backup, in the order in which a restore fills them. */
export const BACKED_UP_TABLES = (Object.keys(tablePolicies) as (keyof Tables)[]).filter(
  (table) => tablePolicies[table].backedUp,
);

/** Whether a table belongs in a backup. Sessions, for example, don't. */
export function isBackedUpTable(table: string): table is keyof Tables {
  return (BACKED_UP_TABLES as readonly string[]).includes(table);
}
