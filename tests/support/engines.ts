import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import type { TestBucket, TestDatabase } from './test-services.ts';

/** The two ways to keep a couple's story; every test of the server runs on both. */
export interface Engine {
  readonly name: 'SQLite + disk' | 'PostgreSQL + S3';
}

export const sqliteAndDisk: Engine = { name: 'SQLite + disk' };
export const postgresAndS3: Engine = { name: 'PostgreSQL + S3' };
export const engines: readonly Engine[] = [sqliteAndDisk, postgresAndS3];

/**
 * The same tests on both engines. Where this machine has no S3 server the second half is skipped, which the last line
 * of `npm test` tells; CI never skips: there it fails.
 */
export function describeOnBoth(name: string, tests: (engine: Engine) => void): void {
  for (const engine of engines) {
    describe.skipIf(isMissing(engine))(`${name} [${engine.name}]`, () => {
      tests(engine);
    });
  }
}

/** Tests inside `describeOnBoth` that need several nodes or several writers: SQLite belongs to one process. */
export function onPostgresOnly(engine: Engine, tests: () => void): void {
  if (engine === postgresAndS3) tests();
}

function isMissing(engine: Engine): boolean {
  return engine === postgresAndS3 && !inject('hasS3') && !process.env.CI;
}

/** Room for one server's data: empty, and its own alone. Several servers may stand on it, one after or beside another. */
export interface TestStorage {
  /** The variables that lead a server there (contract 4). */
  readonly env: Readonly<Record<string, string>>;
  /** Takes it all away. */
  remove(): Promise<void>;
}

/** A fresh place on an engine: a new folder, and on the second a new database and a new prefix in the bucket. */
export async function createTestStorage(engine: Engine): Promise<TestStorage> {
  if (engine === sqliteAndDisk) {
    const dataDir = await newFolder();
    return { env: { DATA_DIR: dataDir }, remove: () => removeFolder(dataDir) };
  }
  const [database, store] = await Promise.all([ask<TestDatabase>('/new-database'), ask<TestBucket>('/bucket')]);
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
      await ask('/drop-database', database.url);
      await removeFolder(dataDir);
    },
  };
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'our-love-story-test-'));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

async function ask<T>(call: string, url = ''): Promise<T> {
  const response = await fetch(`${inject('testServicesUrl')}${call}?url=${encodeURIComponent(url)}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
