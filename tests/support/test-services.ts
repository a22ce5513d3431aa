import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDb } from '../../src/base/server/db/open.ts';
import { newBucket, S3_KEYS, startCeph } from './ceph.ts';
import { type StartedServer, startPostgres } from './postgres.ts';

/** Where a fresh, migrated database lies. */
export interface TestDatabase {
  readonly url: string;
}

/** An S3 bucket which all tests share, each under a prefix of its own. */
export interface TestBucket {
  readonly bucket: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Keeps PostgreSQL and S3 for a whole run: it starts each when a test first asks, or takes the one that
 * `TEST_DATABASE_URL` or `TEST_S3_URL` names, and stops what it started.
 */
export class TestServices {
  #postgres: Promise<StartedServer> | undefined;
  #bucket: Promise<{ ticket: TestBucket; server: StartedServer }> | undefined;
  #template: Promise<string> | undefined;

  /** A fresh database with today's tables in it. */
  async newDatabase(): Promise<TestDatabase> {
    const { url } = await this.#startedPostgres();
    this.#template ??= makeTemplate(url);
    const name = databaseName('test');
    await execute(url, `create database ${name} template ${await this.#template}`);
    return { url: withDatabase(url, name) };
  }

  /** Drops a database that was handed out, though somebody may still be connected. */
  async dropDatabase(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await execute((await this.#startedPostgres()).url, `drop database if exists ${name} with (force)`);
  }

  async bucket(): Promise<TestBucket> {
    this.#bucket ??= openBucket();
    return (await this.#bucket).ticket;
  }

  /** Stops what was started. What failed to start has been reported to the test that asked for it. */
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
    this.#postgres ??= given ? Promise.resolve({ url: given, stop: async () => undefined }) : startPostgres();
    return this.#postgres;
  }
}

/** Migrates one database; a copy of it takes a tenth of the time. */
async function makeTemplate(url: string): Promise<string> {
  const name = databaseName('template');
  await execute(url, `create database ${name}`);
  const db = await openDb({ databaseUrl: withDatabase(url, name), dataDir: '' });
  await db.close();
  return name;
}

async function openBucket(): Promise<{ ticket: TestBucket; server: StartedServer }> {
  const given = process.env.TEST_S3_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startCeph();
  const keys = given
    ? { accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '' }
    : S3_KEYS;
  const bucket = await newBucket(server.url, keys);
  return { ticket: { bucket, endpoint: server.url, ...keys }, server };
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
