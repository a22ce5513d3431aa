import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { deletions } from './leaving-migrations.ts';
import { sessionTokens } from './migrations/0013-session-tokens.ts';
import { strays } from './migrations/0014-strays.ts';
import { replyClaims } from './migrations/0015-reply-claims.ts';
import { setupCode } from './migrations/0016-setup-code.ts';
import { reminderDevices } from './migrations/0017-reminder-devices.ts';
import { challenges } from './migrations/0018-challenges.ts';
import { choreOwners } from './migrations/0019-chore-owners.ts';
import { calendarLinks, celebrations, datesByStart, passkeys, reminders } from './reminder-migrations.ts';

/** Every migration in order, by name. A name that has shipped is never changed: a later one follows it. */
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
};

/** The one up to which a database of today has come. */
export const lastOfMigrations: string = Object.keys(migrations).sort().at(-1) ?? '';

async function theCouple(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('couples')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('togetherSince', 'text')
    .addColumn('timeZone', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('users')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('emailKey', 'text', (c) => c.notNull().unique())
    .addColumn('displayName', 'text', (c) => c.notNull())
    .addColumn('passwordHash', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('users_key', ['coupleId', 'id'])
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('lastUsedAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['coupleId', 'userId', 'id'])
    .addForeignKeyConstraint('sessions_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('codes')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('codeHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdBy', 'text', (c) => c.notNull())
    .addColumn('forUser', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .addColumn('usedAt', 'bigint')
    .addPrimaryKeyConstraint('codes_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('codes_maker', ['coupleId', 'createdBy'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('tries')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('times', 'text', (c) => c.notNull())
    .addColumn('expire', 'bigint', (c) => c.notNull())
    .execute();
}

async function ideasAndDates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ideas')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('isActive', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('updatedAt', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('deletedAt', 'bigint')
    .addPrimaryKeyConstraint('ideas_key', ['coupleId', 'id'])
    .execute();
  await db.schema
    .createTable('dates')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('ideaId', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('plannedDateTime', 'bigint', (c) => c.notNull())
    .addColumn('endDateTime', 'bigint')
    .addColumn('location', 'text')
    .addColumn('notes', 'text')
    .addColumn('actualStartTime', 'bigint')
    .addColumn('actualEndTime', 'bigint')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('updatedAt', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('deletedAt', 'bigint')
    .addColumn('deletedBy', 'text')
    .addPrimaryKeyConstraint('dates_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('dates_idea', ['coupleId', 'ideaId'], 'ideas', ['coupleId', 'id'])
    .execute();
  await db.schema.createIndex('dates_by_time').on('dates').columns(['coupleId', 'plannedDateTime', 'id']).execute();
  await db.schema.createIndex('dates_by_idea').on('dates').columns(['coupleId', 'ideaId']).execute();
}

async function memories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memories')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('originalFileName', 'text', (c) => c.notNull())
    .addColumn('fileExtension', 'text', (c) => c.notNull())
    .addColumn('fileSizeBytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('thumbHash', 'text', (c) => c.notNull())
    .addColumn('caption', 'text')
    .addColumn('uploadedAt', 'bigint', (c) => c.notNull())
    .addColumn('takenAt', 'bigint')
    .addColumn('deletedAt', 'bigint')
    .addColumn('deletedBy', 'text')
    .addColumn('dateDeletedAt', 'bigint')
    .addPrimaryKeyConstraint('memories_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('memories_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'])
    .execute();
  const live = sql<boolean>`"deletedAt" is null and "dateDeletedAt" is null`;
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('memories').columns(columns).where(live).execute();
  await index('memories_by_time', ['coupleId', 'uploadedAt', 'id']);
  await index('memories_by_size', ['coupleId', 'fileSizeBytes', 'id']);
  await index('memories_by_date', ['coupleId', 'dateId', 'uploadedAt', 'id']);
  await index('memories_by_date_size', ['coupleId', 'dateId', 'fileSizeBytes', 'id']);
  await db.schema.createIndex('memories_by_name').on('memories').columns(['coupleId', 'fileName']).unique().execute();
  // The same bytes are in a date once; a twin in the trash does not count (contract 3, Memories).
  await db.schema
    .createIndex('memories_once')
    .on('memories')
    .columns(['coupleId', 'dateId', 'sha256'])
    .unique()
    .where(sql<boolean>`"deletedAt" is null`)
    .execute();
  await db.schema
    .createTable('intents')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('intents_key', ['coupleId', 'fileName'])
    .execute();
}

async function replies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('replies')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('status', 'integer')
    .addColumn('headers', 'text')
    .addColumn('body', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('claimedUntil', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('replies_key', ['coupleId', 'key'])
    .execute();
}

async function keeping(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chores')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('heldUntil', 'bigint', (c) => c.notNull())
    .addColumn('doneAt', 'bigint')
    .addColumn('state', 'text')
    .execute();
  await db.schema
    .createTable('damages')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('foundAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('damages_key', ['coupleId', 'fileName'])
    .execute();
}

async function uploadsInPieces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('key', 'text')
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('caption', 'text')
    .addColumn('deviceName', 'text', (c) => c.notNull())
    .addColumn('sizeBytes', 'bigint', (c) => c.notNull())
    .addColumn('receivedBytes', 'bigint', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('memoryId', 'text')
    .addColumn('refusal', 'text')
    .addColumn('lockedBy', 'text')
    .addColumn('lockedUntil', 'bigint', (c) => c.notNull())
    .addColumn('lockWanted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('uploads_key', ['coupleId', 'id'])
    .execute();
  await db.schema.createIndex('uploads_once').on('uploads').columns(['coupleId', 'key']).unique().execute();
  await db.schema
    .createTable('pieces')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('uploadId', 'text', (c) => c.notNull())
    .addColumn('stem', 'text', (c) => c.notNull())
    .addColumn('startsAt', 'bigint', (c) => c.notNull())
    .addColumn('length', 'bigint')
    .addPrimaryKeyConstraint('pieces_key', ['coupleId', 'uploadId', 'stem'])
    .addForeignKeyConstraint('pieces_upload', ['coupleId', 'uploadId'], 'uploads', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
