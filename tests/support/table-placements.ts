import type { Tables } from '../../src/base/server/db/tables/tables.ts';

/**
 * How each table would be placed in a database that is distributed by couple. A table of couples is
 * distributed by `coupleId`: everything of one couple is on one node. A global table is a copy on every node, and is found
 * by its access paths only. A new table doesn't compile until it is in one of the two lists.
 */
export type Placement =
  | { readonly kind: 'couples' }
  | {
      readonly kind: 'global';
      /** The columns by which requests find rows, and who does. Each is a unique key or an index, or its first column. */
      readonly paths: Readonly<Record<string, string>>;
    };

const couples: Placement = { kind: 'couples' };
const byCouple = 'its couple, known from the session';

export const PLACEMENTS: { readonly [T in keyof Tables]: Placement } = {
  // Users refer to it, and a global table can't refer to a distributed one.
  couples: { kind: 'global', paths: { id: byCouple } },
  users: { kind: 'global', paths: { coupleId: byCouple, emailKey: 'signing in, registering and joining, by e-mail' } },
  sessions: {
    kind: 'global',
    paths: { coupleId: byCouple, tokenHash: 'a request with a cookie, by the hash of its secret' },
  },
  sessionTokens: {
    kind: 'global',
    paths: { coupleId: byCouple, tokenHash: 'a request with a bearer token, by its hash' },
  },
  codes: {
    kind: 'global',
    paths: { coupleId: byCouple, codeHash: 'an invitation, a recovery link or an export, by the hash of its code' },
  },
  calendarLinks: {
    kind: 'global',
    paths: { coupleId: byCouple, secretHash: 'a calendar app, by the hash of the address it polls' },
  },
  passkeys: {
    kind: 'global',
    paths: { coupleId: byCouple, credentialId: 'signing in with a passkey, by its credential' },
  },
  challenges: {
    kind: 'global',
    paths: {
      challengeHash: 'a passkey’s answer, by the hash of the challenge',
      expiresAt: 'deleting expired challenges',
    },
  },
  oidcConnections: {
    kind: 'global',
    paths: { coupleId: byCouple, issuer: 'signing in with an OpenID provider, by its issuer and its user' },
  },
  oidcStarts: {
    kind: 'global',
    paths: {
      stateHash: 'the way back from an OpenID provider, by the hash of its state',
      expiresAt: 'deleting what has expired',
    },
  },
  oidcArrivals: {
    kind: 'global',
    paths: {
      browserHash: 'who has come back to a browser, by the hash of its cookie',
      expiresAt: 'deleting what has expired',
    },
  },
  tries: {
    kind: 'global',
    paths: { key: 'failed sign-ins by account, address or device', expire: 'deleting expired tries' },
  },
  mails: {
    kind: 'global',
    paths: {
      id: 'a mail that is being sent',
      coupleId: byCouple,
      heldUntil: 'the mails that wait to be sent',
      address: 'the mails that wait for an address',
      createdAt: 'deleting old mails',
    },
  },
  setupCodes: { kind: 'global', paths: { id: 'the first registration: one row' } },
  scheduledJobs: { kind: 'global', paths: { name: 'a job’s lease and state: one row each' } },
  vapidKeys: { kind: 'global', paths: { id: 'the keys for Web Push: one row' } },
  storeIdentity: { kind: 'global', paths: { name: 'the photo store’s identity: one row' } },
  migrationKinds: { kind: 'global', paths: { name: 'a migration of a newer version, by its name' } },
  ideas: couples,
  hearts: couples,
  dates: couples,
  notes: couples,
  leftNotes: couples,
  surprises: couples,
  memories: couples,
  pendingFiles: couples,
  uploads: couples,
  pieces: couples,
  replies: couples,
  damagedFiles: couples,
  deletions: couples,
  erasures: couples,
  celebrations: couples,
  pushDevices: couples,
  reminderChecks: couples,
  reminderChoices: couples,
  reminders: couples,
  toldReminders: couples,
  addedPhotos: couples,
  strays: couples,
  importedFiles: couples,
};

/**
 * The indexes of couples' tables that don't begin with `coupleId`, and the background work that they serve: it asks one
 * query for all couples (decision 28). None is unique, so a distributed database can have them on each node.
 */
export const CROSS_COUPLE_INDEXES: Readonly<Record<string, string>> = {
  reminder_checks_due: 'none any more: an earlier release’s scheduler',
  dates_by_status_and_time: 'the scheduler: dates around now, whose reminders may be due',
  reminders_to_send: 'the scheduler: reminders to send',
  reminders_by_age: 'the scheduler: old reminders to delete',
  told_reminders_by_age: 'the scheduler: old records of sent reminders to delete',
  added_photos_by_last: 'the scheduler: photographs to announce, since none came for three minutes',
  added_photos_by_first: 'the scheduler: photographs to announce, since the first came twenty minutes ago',
  memories_by_deletion: 'the sweep: memories that have been in the trash for thirty days',
  dates_by_deletion: 'the sweep: dates that have been in the trash for thirty days',
  pending_files_by_age: 'the sweep: files of interrupted uploads and deletions',
  replies_by_age: 'the sweep: Idempotency-Keys to forget after ninety days',
  replies_with_body: 'the sweep: stored replies to forget after a day',
  uploads_by_age: 'the sweep: resumable uploads to delete after a day',
  strays_by_age: 'none any more: an earlier release’s sweep',
  deletions_by_due: 'the scheduled jobs: spaces whose notice period is over',
};

const tablesOf = (kind: Placement['kind']) =>
  Object.entries(PLACEMENTS)
    .filter(([, placement]) => placement.kind === kind)
    .map(([table]) => table);

export const GLOBAL_TABLES: readonly string[] = tablesOf('global');
export const COUPLES_TABLES: readonly string[] = tablesOf('couples');
