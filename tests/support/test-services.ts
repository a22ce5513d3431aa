import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDb } from '../../src/base/server/db/open.ts';
import { newBucket, S3_KEYS, startCeph } from './ceph.ts';
import { type StartedServer, startPostgresInMemory } from './postgres.ts';

/** An empty, migrated database. */
export interface TestDatabase {
  readonly url: string;
}

/** The S3 bucket that all tests share, each with its own prefix. */
export interface TestBucket {
  readonly bucket: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * PostgreSQL and S3 for a test run. Starts each on first use, unless `TEST_DATABASE_URL` or `TEST_S3_URL` names one, and
 * stops what it started.
 */
export class TestServices {
  #postgres: Promise<StartedServer> | undefined;
  #bucket: Promise<{ bucket: TestBucket; server: StartedServer }> | undefined;
  #template: Promise<string> | undefined;

  /** Creates a database with the current tables. */
  async newDatabase(): Promise<TestDatabase> {
    const { url } = await this.#startedPostgres();
    this.#template ??= createTemplate(url);
    const name = databaseName('test');
    // Copying files takes half the time of writing each page to the log, as these databases are small.
    await execute(url, `create database ${name} template ${await this.#template} strategy file_copy`);
    return { url: withDatabase(url, name) };
  }

  /** Drops a database, even if there are open connections to it. */
  async dropDatabase(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await execute((await this.#startedPostgres()).url, `drop database if exists ${name} with (force)`);
  }

  async bucket(): Promise<TestBucket> {
    this.#bucket ??= openBucket();
    return (await this.#bucket).bucket;
  }

  /** Stops what was started. Ignores failed starts, because the test that needed the service has reported them. */
  async stop(): Promise<void> {
    const stopPostgres = async () => {
      const { url, stop } = (await this.#postgres) ?? {};
      if (url !== undefined && this.#template) await execute(url, `drop database ${await this.#template} with (force)`);
      await stop?.();
    };
    await Promise.allSettled([stopPostgres(), this.#bucket?.then(({ server }) => server.stop())]);
  }

  #startedPostgres(): Promise<StartedServer> {
    const given = process.env.TEST_DATABASE_URL;
    this.#postgres ??= given ? Promise.resolve({ url: given, stop: async () => undefined }) : startPostgresInMemory();
    return this.#postgres;
  }
}

/** Creates the template database. Copying it takes a tenth of the time of migrating. */
async function createTemplate(url: string): Promise<string> {
  const name = databaseName('template');
  await execute(url, `create database ${name}`);
  const db = await openDb({ databaseUrl: withDatabase(url, name), databaseDirectUrl: null, dataDir: '' });
  await db.close();
  return name;
}

async function openBucket(): Promise<{ bucket: TestBucket; server: StartedServer }> {
  const given = process.env.TEST_S3_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startCeph();
  const keys = given
    ? { accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '' }
    : S3_KEYS;
  const bucket = await newBucket(server.url, keys);
  return { bucket: { bucket, endpoint: server.url, ...keys }, server };
}

function databaseName(kind: string): string {
  return `ols_${kind}_${randomBytes(6).toString('hex')}`;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
