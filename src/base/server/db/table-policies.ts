import type { Tables } from './tables.ts';

type TablePolicy<T> = {
  /** The columns of its key. */
  readonly key: readonly (keyof T & string)[];
  /** Whether it goes into a backup. */
  readonly backedUp: boolean;
};

/**
 * What becomes of each table in a backup: a new table does not compile until that is decided here. A table stands after
 * those that it refers to. What is left out either ends by itself (tries, intents), is found anew (damages), or would
 * undo a signing out: sessions and codes that were ended after the backup must not come back to life.
 */
export const tablePolicies: { readonly [T in keyof Tables]: TablePolicy<Tables[T]> } = {
  couples: { key: ['id'], backedUp: true },
  users: { key: ['coupleId', 'id'], backedUp: true },
  sessions: { key: ['coupleId', 'userId', 'id'], backedUp: false },
  sessionTokens: { key: ['coupleId', 'userId', 'sessionId', 'tokenHash'], backedUp: false },
  codes: { key: ['coupleId', 'id'], backedUp: false },
  tries: { key: ['key'], backedUp: false },
  ideas: { key: ['coupleId', 'id'], backedUp: true },
  dates: { key: ['coupleId', 'id'], backedUp: true },
  memories: { key: ['coupleId', 'id'], backedUp: true },
  pendingFiles: { key: ['coupleId', 'fileName'], backedUp: false },
  replies: { key: ['coupleId', 'key'], backedUp: true },
  // What is unfinished is begun again; its pieces are not photographs yet.
  uploads: { key: ['coupleId', 'id'], backedUp: false },
  pieces: { key: ['coupleId', 'uploadId', 'stem'], backedUp: false },
  scheduledJobs: { key: ['name'], backedUp: false },
  damagedFiles: { key: ['coupleId', 'fileName'], backedUp: false },
  // An album that is put back must not delete itself, for a notice that was taken back since or has run out.
  deletions: { key: ['coupleId'], backedUp: false },
  erasures: { key: ['coupleId'], backedUp: false },
  // One revoked after the backup must open nothing again.
  calendarLinks: { key: ['coupleId', 'userId'], backedUp: false },
  celebrations: { key: ['coupleId', 'userId', 'milestone'], backedUp: true },
  // The devices go with their sessions, and without them the keys are of no use.
  vapidKeys: { key: ['id'], backedUp: false },
  pushDevices: { key: ['coupleId', 'userId', 'sessionId'], backedUp: false },
  reminderChoices: { key: ['coupleId', 'userId'], backedUp: true },
  reminders: { key: ['coupleId', 'userId', 'sessionId', 'key'], backedUp: false },
  toldReminders: { key: ['coupleId', 'userId', 'device', 'key'], backedUp: false },
  // One removed after the backup must open nothing again.
  passkeys: { key: ['coupleId', 'userId', 'id'], backedUp: false },
  challenges: { key: ['challengeHash'], backedUp: false },
  // A server that starts empty makes its own.
  setupCodes: { key: ['id'], backedUp: false },
  // They are found anew; a restored database gets an identity of its own.
  strays: { key: ['coupleId', 'fileName'], backedUp: false },
  storeIdentity: { key: ['name'], backedUp: false },
  addedPhotos: { key: ['coupleId', 'userId', 'dateId'], backedUp: false },
};

/** The tables of a backup, in the order in which they are filled again. */
export const BACKED_UP_TABLES = (Object.keys(tablePolicies) as (keyof Tables)[]).filter(
  (table) => tablePolicies[table].backedUp,
);
