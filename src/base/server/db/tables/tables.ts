import type { DateFormats } from '../../../date-formats.ts';
import type { CoupleId, UserId } from '../../../ids.ts';

/**
 * The database schema of all slices, the same for both engines. It is one list in `base`, because migrations, backups and
 * the typed query builder need it as a whole. Instants are milliseconds since 1970, booleans 0 or 1, ids UUIDv7. Primary
 * keys start with the couple's id, except in tables of the whole server (`scheduledJobs`, `storeIdentity`, …) and in
 * `tries`, whose rows are written before a user is known.
 */
export interface Tables {
  couples: CouplesTable;
  users: UsersTable;
  sessions: SessionsTable;
  sessionTokens: SessionTokensTable;
  codes: CodesTable;
  tries: TriesTable;
  ideas: IdeasTable;
  hearts: HeartsTable;
  dates: DatesTable;
  notes: NotesTable;
  leftNotes: LeftNotesTable;
  surprises: SurprisesTable;
  memories: MemoriesTable;
  pendingFiles: PendingFilesTable;
  uploads: UploadsTable;
  pieces: PiecesTable;
  replies: RepliesTable;
  scheduledJobs: ScheduledJobsTable;
  damagedFiles: DamagedFilesTable;
  deletions: DeletionsTable;
  erasures: ErasuresTable;
  calendarLinks: CalendarLinksTable;
  celebrations: CelebrationsTable;
  vapidKeys: VapidKeysTable;
  pushDevices: PushDevicesTable;
  reminderChecks: ReminderChecksTable;
  reminderChoices: ReminderChoicesTable;
  reminders: RemindersTable;
  toldReminders: ToldRemindersTable;
  addedPhotos: AddedPhotosTable;
  passkeys: PasskeysTable;
  challenges: ChallengesTable;
  mails: MailsTable;
  oidcConnections: OidcConnectionsTable;
  oidcStarts: OidcStartsTable;
  oidcArrivals: OidcArrivalsTable;
  setupCodes: SetupCodesTable;
  strays: StraysTable;
  importedFiles: ImportedFilesTable;
  storeIdentity: StoreIdentityTable;
  migrationKinds: MigrationKindsTable;
}

export interface CouplesTable {
  id: CoupleId;
  /** A calendar date. */
  togetherSince: string | null;
  timeZone: string;
  createdAt: number;
  /** Since when the operator has suspended the space, or null. */
  suspendedAt: number | null;
  /** How many bytes of originals the operator lets this couple keep: null for `QUOTA`, -1 for no limit. */
  quotaBytes: number | null;
  /** How many bytes of originals the couple keeps, with those in the trash; null until they are counted. */
  photoBytes: number | null;
}

export interface UsersTable {
  coupleId: CoupleId;
  id: UserId;
  email: string;
  /** The e-mail address, trimmed and in lower case. It is unique. */
  emailKey: string;
  /** The address that the user last confirmed by a mailed link, as it was written; only if it is still theirs it counts. */
  verifiedEmail: string | null;
  displayName: string;
  /** Argon2id, PHC text; `NO_PASSWORD` for an account without a password. */
  passwordHash: string;
  /** How the user reads dates and times; null is `us`. */
  formats: DateFormats | null;
  createdAt: number;
}

export interface SessionsTable {
  coupleId: CoupleId;
  userId: UserId;
  id: string;
  /** SHA-256 of the cookie's secret, hex: `secretHash` in code. The first release had the bearer token in the cookie. */
  tokenHash: string;
  /** The device's own name, shortened. */
  device: string;
  createdAt: number;
  lastUsedAt: number;
}

/** A bearer token of a session. */
export interface SessionTokensTable {
  coupleId: CoupleId;
  userId: UserId;
  sessionId: string;
  /** SHA-256 of the token, hex. */
  tokenHash: string;
  expiresAt: number;
}

export interface CodesTable {
  coupleId: CoupleId;
  id: string;
  /**
   * For a new password, a `recovery` was made by the operator, a `partnerRecovery` by the user's partner, and a
   * `mailedRecovery` was mailed to the user. A `stopRecovery` stops what the partner made, an `email` confirms an address.
   */
  kind: 'invitation' | 'recovery' | 'partnerRecovery' | 'mailedRecovery' | 'stopRecovery' | 'email' | 'export';
  /** SHA-256 of the code, hex. */
  codeHash: string;
  createdBy: UserId;
  /** The user whose password a recovery sets, or whose export it is. */
  forUser: UserId | null;
  /** The mail that carries it, if one does. */
  mailId: string | null;
  /** The address that an `email` confirms. */
  address: string | null;
  createdAt: number;
  /** Before this it is refused. Null, in rows of older versions, means at once. */
  usableAt: number | null;
  expiresAt: number;
  usedAt: number | null;
}

/** Failed sign-ins by account, address or device. Registrations also lock its rows. */
export interface TriesTable {
  key: string;
  /** The times of the failures, ascending, as a JSON list. */
  times: string;
  /** When the last failure expires. */
  expire: number;
}

export interface IdeasTable {
  coupleId: CoupleId;
  id: string;
  title: string;
  description: string | null;
  category: string;
  isActive: number;
  createdAt: number;
  updatedAt: number;
  /** Counts the changes of the idea's own fields, for its ETag. */
  version: number;
  deletedAt: number | null;
}

/** A heart that a partner has put on an idea. The other partner learns of it only by a heart of their own. */
export interface HeartsTable {
  coupleId: CoupleId;
  ideaId: string;
  userId: UserId;
  createdAt: number;
}

export interface DatesTable {
  coupleId: CoupleId;
  id: string;
  ideaId: string;
  status: 'Planned' | 'InProgress' | 'Completed' | 'Cancelled';
  plannedDateTime: number;
  endDateTime: number | null;
  location: string | null;
  notes: string | null;
  actualStartTime: number | null;
  actualEndTime: number | null;
  createdAt: number;
  updatedAt: number;
  version: number;
  deletedAt: number | null;
  deletedBy: UserId | null;
  /** For undoing 'We went!': who pressed it, the version it made, and the notes and time before it. */
  wentBy: UserId | null;
  wentVersion: number | null;
  notesBeforeWent: string | null;
  updatedAtBeforeWent: number | null;
  /** Who planned it; null in dates of older versions. */
  plannedBy: UserId | null;
  /** The ids of the users who don't want to look back on it, joined by commas; null for none. */
  notLookedBackBy: string | null;
}

/** A date that one partner plans as a surprise for the other. What the other may know of it, `dateVisibleTo` decides. */
export interface SurprisesTable {
  coupleId: CoupleId;
  dateId: string;
  surpriseBy: UserId;
  /** When a change revealed it. Its time reveals it too, without a change. */
  revealedAt: number | null;
  /** The version and the time of the last change that shows while it isn't revealed. */
  shownVersion: number;
  shownUpdatedAt: number;
}

/** What a partner wants to remember of a date. The other partner may not read it before both have written one. */
export interface NotesTable {
  coupleId: CoupleId;
  dateId: string;
  userId: UserId;
  text: string;
  /** From 1 to 5; null if not given. */
  hearts: number | null;
  /** When it was last changed. */
  writtenAt: number;
}

/** The opened note of a partner who has left. Who wrote it is not stored, as nothing else of their account is. */
export interface LeftNotesTable extends Omit<NotesTable, 'userId'> {
  /** The partner for whom it was opened, and who keeps it. */
  userId: UserId;
}

export interface MemoriesTable {
  coupleId: CoupleId;
  id: string;
  dateId: string;
  /** The random name of the stored original. */
  fileName: string;
  originalFileName: string;
  /** '.jpg', '.png', '.gif' or '.webp', detected from the bytes. */
  fileExtension: string;
  fileSizeBytes: number;
  /** Of the original, hex. */
  sha256: string;
  /** In pixels, after applying the EXIF orientation. */
  width: number;
  height: number;
  /** Base64. */
  thumbHash: string;
  caption: string | null;
  /** What the search finds it by (`memorySearchText`); null in rows of older versions. */
  searchText: string | null;
  uploadedAt: number;
  /** The capture time of the file. */
  takenAt: number | null;
  /** The one that a partner gave it; null if it has that of the file. */
  correctedTakenAt: number | null;
  /** When it was last corrected; null if never. */
  updatedAt: number | null;
  version: number;
  /** Its place in the story (`memories/happened-at.ts`). A node of an older version writes 0, which the sweep replaces. */
  happenedAt: number;
  deletedAt: number | null;
  deletedBy: UserId | null;
  /** When its date was deleted; the trash then shows it as part of the date. */
  dateDeletedAt: number | null;
}

/** A file that is being stored or deleted. If the process dies, the sweep cleans up after it. */
export interface PendingFilesTable {
  coupleId: CoupleId;
  /** The stem that the names of its files share, or the name of one file. */
  fileName: string;
  createdAt: number;
}

/** A resumable upload, kept for one day. */
export interface UploadsTable {
  coupleId: CoupleId;
  id: string;
  userId: UserId;
  /** The `Idempotency-Key` of its creation; null without one and after a rejection. */
  key: string | null;
  dateId: string;
  caption: string | null;
  /** The file's name on the device, cleaned. */
  deviceName: string;
  sizeBytes: number;
  /** The number of bytes stored so far. */
  receivedBytes: number;
  createdAt: number;
  /** The result: a memory, or a refusal as JSON. Both are null until it is finished. */
  memoryId: string | null;
  refusal: string | null;
  /** The lock: the owning request, its expiry, and whether another request waits. */
  lockedBy: string | null;
  lockedUntil: number;
  lockWanted: number;
}

/** A part of a resumable upload. The row is written before the part is stored. */
export interface PiecesTable {
  coupleId: CoupleId;
  uploadId: string;
  /** The random name of its file. */
  stem: string;
  /** Its byte offset in the photo. */
  startsAt: number;
  /** In bytes; null until it is complete. */
  length: number | null;
}

/** An `Idempotency-Key` that has created something. */
export interface RepliesTable {
  coupleId: CoupleId;
  key: string;
  /** A hash of the call and its content. Null, like the status, in a claim: version 1.0.0 claims a key first. */
  fingerprint: string | null;
  status: number | null;
  /** The reply, for a day. */
  headers: string | null;
  body: string | null;
  /** What the key created. Version 1.0.0 writes null: its replies have the id in their body. */
  createdId: string | null;
  createdAt: number;
  /** A claim's expiry, and its random owner. */
  claimedUntil: number;
  claimedBy: string | null;
}

/** A job of which one node at a time runs a round, or the last time that the clock was right. */
export interface ScheduledJobsTable {
  name: string;
  /** When the lease expires. */
  heldUntil: number;
  /** The random claim owner of the last lease. */
  heldBy: string | null;
  /** When it last finished; null before the first time. */
  doneAt: number | null;
  /** Its state for the next run, as JSON. */
  state: string | null;
}

/** A photo whose stored original differs from the upload, until it is repaired. */
export interface DamagedFilesTable {
  coupleId: CoupleId;
  fileName: string;
  kind: 'lost' | 'changed';
  foundAt: number;
}

/** A user's secret calendar link; at most one. */
export interface CalendarLinksTable {
  coupleId: CoupleId;
  userId: UserId;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  createdAt: number;
}

/** A milestone that a user has seen celebrated. */
export interface CelebrationsTable {
  coupleId: CoupleId;
  userId: UserId;
  milestone: string;
  seenAt: number;
}

/** A partner's request to delete the space. It takes effect when the other agrees or the notice period ends. */
export interface DeletionsTable {
  coupleId: CoupleId;
  askedBy: UserId;
  askedAt: number;
  dueAt: number;
}

/** A deleted couple whose files still have to be removed. */
export interface ErasuresTable {
  coupleId: CoupleId;
  createdAt: number;
}

/** The server's keys for Web Push: one row for all nodes. */
export interface VapidKeysTable {
  id: string;
  /** Both base64url. */
  publicKey: string;
  privateKey: string;
  createdAt: number;
}

/** A device with reminders. It is deleted with its session. */
export interface PushDevicesTable {
  coupleId: CoupleId;
  userId: UserId;
  sessionId: string;
  /** Identifies the device across sessions: the browser's stored id, or a hash of its first endpoint. */
  device: string;
  /** The secret URL of the browser's push service. */
  endpoint: string;
  /** The browser's keys, base64url. */
  p256dh: string;
  auth: string;
  createdAt: number;
}

/** When to look for due reminders of a couple next. Couples without a device with reminders need no row. */
export interface ReminderChecksTable {
  coupleId: CoupleId;
  checkAt: number;
  version: number;
}

/** A user's reminder settings. Without a row, all are on. */
export interface ReminderChoicesTable {
  coupleId: CoupleId;
  userId: UserId;
  tomorrow: number;
  starting: number;
  howWasIt: number;
  photographs: number;
  /** Null, which means on, if an older version saved the row. */
  notes: number | null;
}

/** A queued reminder for one device. The row stays for a while after sending, so that it isn't sent again. */
export interface RemindersTable {
  coupleId: CoupleId;
  userId: UserId;
  sessionId: string;
  key: string;
  kind: 'tomorrow' | 'starting' | 'howWasIt' | 'photographs' | 'notes' | 'recovery';
  /** The date; of a `recovery`, the id of the link for a new password. */
  dateId: string;
  /** The user who added photos or made the link, and how many photos. */
  addedBy: UserId | null;
  count: number | null;
  /** When it expires. */
  until: number;
  createdAt: number;
  /** The end of a node's claim, or of the backoff before a retry. */
  heldUntil: number;
  tries: number;
  doneAt: number | null;
}

/** Reminders that a device has received, so that it doesn't get them again after signing in again. */
export interface ToldRemindersTable {
  coupleId: CoupleId;
  userId: UserId;
  device: string;
  key: string;
  toldAt: number;
}

/** Photos added to a date that the partner hasn't been notified of yet. */
export interface AddedPhotosTable {
  coupleId: CoupleId;
  userId: UserId;
  dateId: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** A user's passkey: the credential's public key. */
export interface PasskeysTable {
  coupleId: CoupleId;
  userId: UserId;
  id: string;
  /** The credential ID, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** The authenticator's signature counter, if it has one. It never decreases. */
  counter: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A single-use WebAuthn challenge. At sign-in its user isn't known yet. */
export interface ChallengesTable {
  /** SHA-256, hex. */
  challengeHash: string;
  purpose: string;
  expiresAt: number;
}

/** A mail, sent once by one of the nodes, then kept for two days to count the mails of a day. */
export interface MailsTable {
  id: string;
  /** The user whom it is about; null for an operator's mail, and for one that was asked for by an e-mail alone. */
  coupleId: CoupleId | null;
  userId: UserId | null;
  kind: string;
  /** Where it goes; empty once it is sent. */
  address: string;
  /** What it is about: an id or a name, by its kind. */
  about: string | null;
  createdAt: number;
  /** Until when it rests after a failure, or a node is sending it. */
  heldUntil: number;
  tries: number;
  /** When it was sent, or no longer wanted. */
  doneAt: number | null;
}

/** The identity at an OpenID provider with which a user signs in. At most one for each user, and one user for each identity. */
export interface OidcConnectionsTable {
  coupleId: CoupleId;
  userId: UserId;
  issuer: string;
  /** The claim `sub`. */
  subject: string;
  createdAt: number;
}

/** What a browser has begun at the OpenID provider, until it comes back or ten minutes have passed. */
export interface OidcStartsTable {
  /** SHA-256 of the `state`, hex. */
  stateHash: string;
  /** SHA-256 of the secret in the browser's cookie, hex. */
  browserHash: string;
  /** What for, as JSON: its couple's id, if there is one yet, is in it. */
  purpose: string;
  expiresAt: number;
}

/** Who has come back to a browser from the OpenID provider, to register or to join. It waits for the name and the e-mail. */
export interface OidcArrivalsTable {
  browserHash: string;
  issuer: string;
  subject: string;
  /** What the provider says about the user, to fill in the form. */
  displayName: string | null;
  email: string | null;
  /** As in `OidcStartsTable`. */
  purpose: string;
  expiresAt: number;
}

/** The setup code for the first registration: at most one row. */
export interface SetupCodesTable {
  id: string;
  /** Random, hex. Each node derives the code from it. */
  seed: string;
  /** SHA-256 of the code, hex. */
  codeHash: string;
  createdAt: number;
}

/** No longer used: an earlier release recorded stored files here that no row named. Its nodes may still write it. */
export interface StraysTable {
  coupleId: CoupleId;
  fileName: string;
  foundAt: number;
  storedAt: number;
  seenAt: number;
  confirmedAt: number | null;
}

/** A photograph that an import has stored or is about to store. The couple is not in the database yet. */
export interface ImportedFilesTable {
  coupleId: CoupleId;
  fileName: string;
  /** When the import last renewed its rows. */
  createdAt: number;
}

/** The identity that the database shares with its photo store: one row. */
export interface StoreIdentityTable {
  name: string;
  /** Random; also in the store's label. */
  id: string;
  /** Counts sweeps. The label has the count too; if it is ahead, a newer state of the database has swept the store. */
  sweeps: number;
  /** When the identity was written to the store; null before. */
  claimedAt: number | null;
}

/** What a migration means to a node that doesn't know it: written by the node that ran it. */
export interface MigrationKindsTable {
  name: string;
  /** `contract` is a remove migration, as version 1.0.0 calls it. */
  kind: 'expand' | 'contract';
  /** The migration that a node must know to work after a remove migration; null for expand migrations. */
  needs: string | null;
}
