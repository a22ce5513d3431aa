import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDb } from '../../src/base/server/db/open.ts';
import { DATABASE_FILE } from '../../src/base/server/db/sqlite/sqlite.ts';
import { type Engine, sqliteAndDisk } from './engines.ts';
import type { TestBucket, TestDatabase } from './test-services.ts';

/** A database and a photo store for one test. Several servers may use them, one after another or at once. */
export interface TestStorage {
  /** The environment variables with which a server uses them. */
  readonly env: Readonly<Record<string, string>>;
  /** Deletes all data. */
  remove(): Promise<void>;
}

/** Creates an empty folder, and for PostgreSQL + S3 also a database and a new prefix in the bucket. */
export async function createTestStorage(engine: Engine): Promise<TestStorage> {
  if (engine === sqliteAndDisk) {
    const dataDir = await newFolder();
    return { env: { DATA_DIR: dataDir }, remove: () => removeFolder(dataDir) };
  }
  const [database, store] = await Promise.all([
    callServices<TestDatabase>('/new-database'),
    callServices<TestBucket>('/bucket'),
  ]);
  const dataDir = await newFolder();
  const prefix = dataDir.slice(dataDir.lastIndexOf('-') + 1);
  return {
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORAGE_URL: `s3://${store.bucket}/${prefix}?endpoint=${encodeURIComponent(store.endpoint)}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
    remove: async () => {
      await callServices('/drop-database', database.url);
      await removeFolder(dataDir);
    },
  };
}

/** Creates a storage whose database has the current tables. */
export async function createMigratedStorage(engine: Engine): Promise<TestStorage> {
  const storage = await createTestStorage(engine);
  if (engine === sqliteAndDisk) {
    template ??= createTemplate();
    await copyFile(await template, join(storage.env.DATA_DIR ?? '', DATABASE_FILE));
  }
  return storage;
}

/** The file of an SQLite database with the current tables. Copying it takes a fraction of the time of migrating. */
let template: Promise<string> | undefined;

async function createTemplate(): Promise<string> {
  const dataDir = await newFolder();
  await (await openDb({ databaseUrl: null, databaseDirectUrl: null, dataDir })).close();
  return join(dataDir, DATABASE_FILE);
}

/** Sets the storage's S3 credentials in the environment, where the S3 client reads them. */
export function setS3Credentials({ env }: TestStorage): void {
  for (const [name, value] of Object.entries(env)) if (name.startsWith('AWS_')) process.env[name] = value;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(process.env.TEST_DATA ?? tmpdir(), 'our-love-story-test-'));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

async function callServices<T>(call: string, url = ''): Promise<T> {
  const response = await fetch(`${inject('testServicesUrl')}${call}?url=${encodeURIComponent(url)}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
