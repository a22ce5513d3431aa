import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, type SuiteOptions } from 'vitest';
import { openDb } from '../../src/base/server/db/open.ts';
import { DATABASE_FILE } from '../../src/base/server/db/sqlite/sqlite.ts';
import type { TestBucket, TestDatabase } from './test-services.ts';

/**
 * The two combinations of database and photo store. What the queries, the database or the store can change is tested on
 * both; what they cannot, such as the parsing of a form, on SQLite alone.
 */
export interface Engine {
  readonly name: 'SQLite + disk' | 'PostgreSQL + S3';
}

export const sqliteAndDisk: Engine = { name: 'SQLite + disk' };
export const postgresAndS3: Engine = { name: 'PostgreSQL + S3' };
export const engines: readonly Engine[] = [sqliteAndDisk, postgresAndS3];

/** The engine of the journeys: SQLite and a folder, or PostgreSQL and S3 with `TEST_ENGINE=postgres`. */
export const engineOfJourneys = process.env.TEST_ENGINE === 'postgres' ? postgresAndS3 : sqliteAndDisk;

/**
 * Runs the same tests on both engines. Without an S3 server the second half is skipped and counted in the last line of
 * `npm test`; in CI it fails.
 */
export function describeOnBoth(name: string, tests: (engine: Engine) => void): void;
export function describeOnBoth(name: string, options: SuiteOptions, tests: (engine: Engine) => void): void;
export function describeOnBoth(
  name: string,
  optionsOrTests: SuiteOptions | ((engine: Engine) => void),
  testsAfterOptions?: (engine: Engine) => void,
): void {
  const options = typeof optionsOrTests === 'function' ? {} : optionsOrTests;
  const tests = typeof optionsOrTests === 'function' ? optionsOrTests : testsAfterOptions;
  for (const engine of engines) {
    describe.skipIf(isMissing(engine))(`${name} [${engine.name}]`, options, () => tests?.(engine));
  }
}

/** Runs tests on PostgreSQL and S3 alone. Without an S3 server they are skipped, as those of `describeOnBoth` are. */
export function describeOnPostgres(name: string, tests: (engine: Engine) => void): void {
  describe.skipIf(isMissing(postgresAndS3))(`${name} [${postgresAndS3.name}]`, () => {
    tests(postgresAndS3);
  });
}

/** Runs tests on SQLite and a folder alone: those of what no engine changes. */
export function describeOnSqlite(name: string, tests: (engine: Engine) => void): void {
  describe(`${name} [${sqliteAndDisk.name}]`, () => {
    tests(sqliteAndDisk);
  });
}

/** Tests in `describeOnBoth` of what no engine changes. */
export function onSqliteOnly(engine: Engine, tests: () => void): void {
  if (engine === sqliteAndDisk) tests();
}

/** Tests in `describeOnBoth` that need several nodes or writers, which SQLite doesn't support. */
export function onPostgresOnly(engine: Engine, tests: () => void): void {
  if (engine === postgresAndS3) tests();
}

function isMissing(engine: Engine): boolean {
  return engine === postgresAndS3 && !inject('hasS3') && !process.env.CI;
}

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
