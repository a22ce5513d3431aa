import type { CoupleId, UserId } from '../../ids.ts';

/**
 * The tables, one text for both engines. Instants are milliseconds since 1970, booleans 0 or 1, ids UUIDv7. Each
 * table's key begins with the couple's id, save those of tries, which are counted before anybody is known, and of
 * chores and the store's identity, which are the whole server's.
 */
export interface Tables {
  couples: CouplesTable;
  users: UsersTable;
  sessions: SessionsTable;
  sessionTokens: SessionTokensTable;
  codes: CodesTable;
  tries: TriesTable;
  ideas: IdeasTable;
  dates: DatesTable;
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
  reminderChoices: ReminderChoicesTable;
  reminders: RemindersTable;
  toldReminders: ToldRemindersTable;
  addedPhotos: AddedPhotosTable;
  passkeys: PasskeysTable;
  challenges: ChallengesTable;
  setupCodes: SetupCodesTable;
  strays: StraysTable;
  storeIdentity: StoreIdentityTable;
}

export interface CouplesTable {
  id: CoupleId;
  /** A calendar date. */
  togetherSince: string | null;
  timeZone: string;
  createdAt: number;
}

export interface UsersTable {
  coupleId: CoupleId;
  id: UserId;
  email: string;
  /** The e-mail trimmed and without case: unique on the server. */
  emailKey: string;
  displayName: string;
  /** Argon2id, PHC text. */
  passwordHash: string;
  createdAt: number;
}

export interface SessionsTable {
  coupleId: CoupleId;
  userId: UserId;
  id: string;
  /** SHA-256 of the cookie's secret, hex. The name is from when the cookie held the bearer token. */
  tokenHash: string;
  /** What the device calls itself, shortened. */
  device: string;
  createdAt: number;
  lastUsedAt: number;
  /** SHA-256 of a cookie from before 0013, whose value was also the bearer token; null once it is replaced. */
  formerHash: string | null;
  /** With it the former cookie's replacement is derived from it; null until it is first replaced. */
  formerSalt: string | null;
  /** When the former cookie was last presented and answered with its replacement. */
  replacedAt: number | null;
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
  kind: 'invitation' | 'recovery' | 'export';
  /** SHA-256 of the code, hex. */
  codeHash: string;
  createdBy: UserId;
  /** Whose password a recovery sets, whose export it is. */
  forUser: UserId | null;
  createdAt: number;
  expiresAt: number;
  usedAt: number | null;
}

/** Failures to sign in, by account, address or device; its rows are also what registrations queue up at. */
export interface TriesTable {
  key: string;
  /** When they were, ascending: a JSON list. */
  times: string;
  /** When the last of them no longer counts. */
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
  /** Counts the changes of its own fields: the ETag. */
  version: number;
  deletedAt: number | null;
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
}

export interface MemoriesTable {
  coupleId: CoupleId;
  id: string;
  dateId: string;
  /** The name under which the original is stored: random, no part of it the uploader's. */
  fileName: string;
  originalFileName: string;
  /** '.jpg', '.png', '.gif' or '.webp', by the bytes. */
  fileExtension: string;
  fileSizeBytes: number;
  /** Of the original, hex. */
  sha256: string;
  /** Upright, in pixels. */
  width: number;
  height: number;
  /** Base64. */
  thumbHash: string;
  caption: string | null;
  uploadedAt: number;
  takenAt: number | null;
  deletedAt: number | null;
  deletedBy: UserId | null;
  /** When its date was deleted; it then lies in the trash with it, and not beside it. */
  dateDeletedAt: number | null;
}

/** A file about to be stored: what lets the sweep find one whose row never came. */
export interface PendingFilesTable {
  coupleId: CoupleId;
  fileName: string;
  createdAt: number;
}

/** A photograph that comes in pieces, until a day after it was begun. */
export interface UploadsTable {
  coupleId: CoupleId;
  id: string;
  userId: UserId;
  /** The `Idempotency-Key` it was begun with; null without one, and once it was refused. */
  key: string | null;
  dateId: string;
  caption: string | null;
  /** The name the photograph has on the device, cleaned. */
  deviceName: string;
  sizeBytes: number;
  /** How many of them are stored, from the first on. */
  receivedBytes: number;
  createdAt: number;
  /** What became of it: a memory, or a refusal as JSON; both null while it is neither. */
  memoryId: string | null;
  refusal: string | null;
  /** Which request is at it, and until when if it does not say more; whether another waits. */
  lockedBy: string | null;
  lockedUntil: number;
  lockWanted: number;
}

/** A stored piece of such a photograph, noted before it is stored. */
export interface PiecesTable {
  coupleId: CoupleId;
  uploadId: string;
  /** Under which its bytes lie: random. */
  stem: string;
  /** Where in the photograph it begins, in bytes. */
  startsAt: number;
  /** In bytes; null until it counts. */
  length: number | null;
}

/** The first answer to a call with an `Idempotency-Key`. */
export interface RepliesTable {
  coupleId: CoupleId;
  key: string;
  /** What the key was used for: a hash of call and content; null while that is not yet known. */
  fingerprint: string | null;
  /** Null while the first is still running. */
  status: number | null;
  headers: string | null;
  body: string | null;
  createdAt: number;
  /** While it runs: until when the claim holds unless renewed, and whose it is: random, one for each request. */
  claimedUntil: number;
  claimedBy: string | null;
}

/** What the server does by itself from time to time, on one node at a time. */
export interface ScheduledJobsTable {
  name: string;
  /** Until when a node has it in hand. */
  heldUntil: number;
  /** Who took it last: random, another one each time. */
  heldBy: string | null;
  /** When it was last done; null where it never was. */
  doneAt: number | null;
  /** What it has to remember until the next time: JSON. */
  state: string | null;
}

/** A photograph whose stored original is no longer what was uploaded, until it is again. */
export interface DamagedFilesTable {
  coupleId: CoupleId;
  fileName: string;
  kind: 'lost' | 'changed';
  foundAt: number;
}

/** A user's secret link to the couple's dates, one at most. */
export interface CalendarLinksTable {
  coupleId: CoupleId;
  userId: UserId;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  createdAt: number;
}

/** A milestone that a user has been shown. */
export interface CelebrationsTable {
  coupleId: CoupleId;
  userId: UserId;
  milestone: string;
  seenAt: number;
}

/** One partner's wish that the whole space be deleted: it is, when the other agrees or the notice has run out. */
export interface DeletionsTable {
  coupleId: CoupleId;
  askedBy: UserId;
  askedAt: number;
  dueAt: number;
}

/** A couple whose rows are deleted, and whose files are still to be removed. */
export interface ErasuresTable {
  coupleId: CoupleId;
  createdAt: number;
}
/** The server's own keys for Web Push: one row, for all nodes. */
export interface VapidKeysTable {
  id: string;
  /** Both base64url. */
  publicKey: string;
  privateKey: string;
  createdAt: number;
}

/** A device that is told of what is due: one with its session, and gone with it. */
export interface PushDevicesTable {
  coupleId: CoupleId;
  userId: UserId;
  sessionId: string;
  /** What it is known by when its user signs in again: the id that the browser keeps, or a hash of its first endpoint. */
  device: string;
  /** Where the browser's push service takes messages for it: a secret. */
  endpoint: string;
  /** The browser's keys, base64url. */
  p256dh: string;
  auth: string;
  createdAt: number;
}

/** What a user wants to be reminded of; without a row all of it. */
export interface ReminderChoicesTable {
  coupleId: CoupleId;
  userId: UserId;
  tomorrow: number;
  starting: number;
  howWasIt: number;
  photographs: number;
}

/** What one device is to be told, once: its key says what. It stays a while after that, so that it is not told again. */
export interface RemindersTable {
  coupleId: CoupleId;
  userId: UserId;
  sessionId: string;
  key: string;
  kind: 'tomorrow' | 'starting' | 'howWasIt' | 'photographs';
  dateId: string;
  /** Who added how many photographs. */
  addedBy: UserId | null;
  count: number | null;
  /** When it is of no use any more. */
  until: number;
  createdAt: number;
  /** Until when a node has it in hand, or it waits for another try. */
  heldUntil: number;
  tries: number;
  doneAt: number | null;
}

/** What a user's device has been told, so that it is not told again after signing out and in. */
export interface ToldRemindersTable {
  coupleId: CoupleId;
  userId: UserId;
  device: string;
  key: string;
  toldAt: number;
}

/** Photographs that a user added to a date, and that the partner has not been told of yet. */
export interface AddedPhotosTable {
  coupleId: CoupleId;
  userId: UserId;
  dateId: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** A key pair on a user's device, of which we have the public half. */
export interface PasskeysTable {
  coupleId: CoupleId;
  userId: UserId;
  id: string;
  /** What the device calls it, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** How often it was used, where the device counts: it never goes back. */
  counter: number;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** What a passkey is asked to sign, once. At a sign-in nobody is known yet. */
export interface ChallengesTable {
  /** SHA-256, hex. */
  challengeHash: string;
  purpose: string;
  expiresAt: number;
}

/** The setup code of the next first registration: one row at most. */
export interface SetupCodesTable {
  id: string;
  /** Random, hex: each node derives the code from it. */
  seed: string;
  /** SHA-256 of the code, hex. */
  codeHash: string;
  createdAt: number;
}

/** A stored file that no row knows, until it is deleted, gains a row or disappears. */
export interface StraysTable {
  /** The folder it is in. The database may not know this couple. */
  coupleId: CoupleId;
  fileName: string;
  /** When a sweep first found it, by our clock. */
  foundAt: number;
  /** When the store says it was stored, by the store's clock: a file that was stored again is another one. */
  storedAt: number;
  /** When the last look over the store that saw it began. */
  seenAt: number;
  /** When an operator confirmed that it may go. */
  confirmedAt: number | null;
}

/** The identity that this database shares with its photo store: one row. */
export interface StoreIdentityTable {
  name: string;
  /** Random; the store holds the same. */
  id: string;
  /** Counts the sweeps. The store holds the count too: one that is ahead was swept by a newer state of the database. */
  sweeps: number;
  /** When the identity was written into the store; null before. */
  claimedAt: number | null;
}
