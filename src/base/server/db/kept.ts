import type { Tables } from './tables.ts';

type Fate<T> = {
  /** The columns of its key. */
  readonly key: readonly (keyof T & string)[];
  /** Whether it goes into a backup. */
  readonly kept: boolean;
};

/**
 * What becomes of each table in a backup: a new table does not compile until that is decided here. A table stands after
 * those that it refers to. What is left out either ends by itself (tries, intents), is found anew (damages), or would
 * undo a signing out: sessions and codes that were ended after the backup must not come back to life.
 */
export const TABLE_FATES: { readonly [T in keyof Tables]: Fate<Tables[T]> } = {
  couples: { key: ['id'], kept: true },
  users: { key: ['coupleId', 'id'], kept: true },
  sessions: { key: ['coupleId', 'userId', 'id'], kept: false },
  sessionTokens: { key: ['coupleId', 'userId', 'sessionId', 'tokenHash'], kept: false },
  codes: { key: ['coupleId', 'id'], kept: false },
  tries: { key: ['key'], kept: false },
  ideas: { key: ['coupleId', 'id'], kept: true },
  dates: { key: ['coupleId', 'id'], kept: true },
  memories: { key: ['coupleId', 'id'], kept: true },
  intents: { key: ['coupleId', 'fileName'], kept: false },
  replies: { key: ['coupleId', 'key'], kept: true },
  // What is unfinished is begun again; its pieces are not photographs yet.
  uploads: { key: ['coupleId', 'id'], kept: false },
  pieces: { key: ['coupleId', 'uploadId', 'stem'], kept: false },
  chores: { key: ['name'], kept: false },
  damages: { key: ['coupleId', 'fileName'], kept: false },
  // An album that is put back must not delete itself, for a notice that was taken back since or has run out.
  deletions: { key: ['coupleId'], kept: false },
  erasures: { key: ['coupleId'], kept: false },
  // One revoked after the backup must open nothing again.
  calendarLinks: { key: ['coupleId', 'userId'], kept: false },
  celebrations: { key: ['coupleId', 'userId', 'milestone'], kept: true },
  // The devices go with their sessions, and without them the keys are of no use.
  vapidKeys: { key: ['id'], kept: false },
  pushDevices: { key: ['coupleId', 'userId', 'sessionId'], kept: false },
  reminderChoices: { key: ['coupleId', 'userId'], kept: true },
  reminders: { key: ['coupleId', 'userId', 'sessionId', 'key'], kept: false },
  toldReminders: { key: ['coupleId', 'userId', 'device', 'key'], kept: false },
  // One removed after the backup must open nothing again.
  passkeys: { key: ['coupleId', 'userId', 'id'], kept: false },
  challenges: { key: ['challengeHash'], kept: false },
  // A server that starts empty makes its own.
  setupCodes: { key: ['id'], kept: false },
  // They are found anew; a restored database gets an identity of its own.
  strays: { key: ['coupleId', 'fileName'], kept: false },
  storeIdentity: { key: ['name'], kept: false },
  addedPhotos: { key: ['coupleId', 'userId', 'dateId'], kept: false },
};

/** The tables of a backup, in the order in which they are filled again. */
export const KEPT_TABLES = (Object.keys(TABLE_FATES) as (keyof Tables)[]).filter((table) => TABLE_FATES[table].kept);
