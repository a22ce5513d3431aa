import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY } from '../../src/base/durations.ts';
import { latestMigration, migrations } from '../../src/base/server/db/migrations/index.ts';
import type { Migrations } from '../../src/base/server/db/migrations/migration.ts';
import { openWithoutMigrating } from '../../src/base/server/db/open.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { backUp } from '../../src/keeping/server/backup/backup.ts';
import { verifyBackup } from '../../src/keeping/server/backup/verify-backup.ts';
import { Caller, type Result } from '../support/caller.ts';
import { openCompetingConnection } from '../support/competing-connection.ts';
import { describeOnBoth, onPostgresOnly } from '../support/engines.ts';
import { addIdea } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import { readKeptStory } from '../support/kept-story.ts';
import { loadRelease } from '../support/load-release.ts';
import { Partner } from '../support/partner.ts';
import { readWholeStory } from '../support/read-whole-story.ts';
import { PASSWORD, registerAda } from '../support/register-couple.ts';
import { RELEASES_FOLDER } from '../support/releases-folder.ts';
import { spawnServer, startServer } from '../support/spawn-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../support/test-storage.ts';
import { upload } from '../support/upload.ts';

/** A later version: it adds a table and columns. */
const nextVersion: Migrations = {
  ...migrations,
  '9001-costs': {
    kind: 'expand',
    up: async (db) => {
      await db.schema
        .createTable('costs')
        .addColumn('coupleId', 'text', (c) => c.primaryKey().references('couples.id').onDelete('cascade'))
        .addColumn('sum', 'bigint', (c) => c.notNull())
        .execute();
      await sql`insert into "costs" ("coupleId", "sum") select "id", 5 from "couples"`.execute(db);
      for (const table of ['ideas', 'dates', 'memories']) {
        await db.schema
          .alterTable(table)
          .addColumn('cost', 'bigint', (c) => c.notNull().defaultTo(0))
          .execute();
        await db.schema.alterTable(table).addColumn('currency', 'text').execute();
        await db.schema.createIndex(`${table}_by_cost`).on(table).columns(['coupleId', 'cost']).execute();
      }
    },
  },
};

/** The version after that: it removes what only the older versions use. */
const versionAfterNext: Migrations = {
  ...nextVersion,
  '9002-no-sums': {
    kind: 'remove',
    needs: '9001-costs',
    up: (db) => db.schema.dropTable('costs').execute(),
  },
};

const TOO_OLD =
  'This version is too old for the tables of the database, which a newer version changed with migration 9002-no-sums; install a newer version.';

const releases = readdirSync(RELEASES_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const newestRelease =
  releases.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))[releases.length - 1] ??
  '';

async function signIn(app: { readonly url: string }, name: 'ada' | 'ben'): Promise<Partner> {
  const email = `${name}@example.org`;
  const result = await new Caller(app.url).call('POST /api/auth/login', { body: { email, password: PASSWORD } });
  expect(result.status).toBe(200);
  const cookie = (result.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  return new Partner(app.url, result.body, cookie, email, PASSWORD);
}

interface Written {
  readonly title: string;
  readonly ideaId: string;
  readonly dateId: string;
  readonly memoryId: string;
  readonly photo: Buffer;
}

/** Clients that add, edit, plan and upload all the time, on the nodes of `nodes`. */
class Traffic {
  readonly written: Written[] = [];
  /** All statuses but successes. */
  readonly refusals: string[] = [];
  readonly #nodes: Set<TestApp>;
  readonly #name: string;
  readonly #plannedAt: string;
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(nodes: Set<TestApp>, clients: readonly Partner[], startsAt: number, name = 'Idea') {
    this.#nodes = nodes;
    this.#name = name;
    this.#plannedAt = new Date(startsAt + 30 * DAY).toISOString();
    this.#clients = clients.map((who, index) => this.#write(who, index));
    for (const client of this.#clients) client.catch(() => undefined);
  }

  /** Waits until this many more photographs are acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.written.length + count;
    const reach = async () => {
      await expect.poll(() => this.written.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(goal);
    };
    // The clients end before that only with an error.
    await Promise.race([reach(), Promise.all(this.#clients)]);
  }

  /** Stops the clients. Rejects if one had an answer that no client can handle. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #write(who: Partner, index: number): Promise<void> {
    for (let round = 0; !this.#isOver; round += 1) {
      const title = `${this.#name}: ${index}.${round}`;
      const seed = (this.written.length + 1) * 100 + index;
      const body = { title: `${title}, first thought`, category: 'Food' } as const;
      const { id: ideaId } = await this.#send(who, (node, options) =>
        node.call('POST /api/DateIdeas', { body }, options),
      );
      const edit = { params: { id: ideaId }, body: { ...body, title } };
      await this.#send(who, (node) => node.call('PUT /api/DateIdeas/{id}', edit));
      const plan = { dateIdeaId: ideaId, plannedDateTime: this.#plannedAt };
      const { id: dateId } = await this.#send(who, (node, options) =>
        node.call('POST /api/PlannedDates', { body: plan }, options),
      );
      const photo = await makeJpeg({ width: 60, height: 40, seed });
      const { id: memoryId } = await this.#send(who, (node, { headers }) =>
        upload(node, photo, { dateId, caption: title }, headers['idempotency-key']),
      );
      this.written.push({ title, ideaId, dateId, memoryId, photo });
    }
  }

  /** Sends a request to any node until it is acknowledged, as a client behind a load balancer does. */
  async #send<T>(
    who: Partner,
    request: (node: Partner, options: { headers: { 'idempotency-key': string } }) => Promise<Result<T>>,
  ): Promise<T> {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    for (;;) {
      const nodes = [...this.#nodes];
      const node = nodes[Math.floor(Math.random() * nodes.length)];
      const answer = node ? await request(who.at(node), options).catch(() => null) : null;
      if (answer !== null && answer.status < 300) return answer.body;
      const retryAfter = answer?.headers.get('retry-after') ?? null;
      if (answer !== null) {
        this.refusals.push(`${answer.status} ${answer.problem.message}`);
        if (![409, 429, 503].includes(answer.status) || retryAfter === null) throw new Error(this.refusals.at(-1));
      }
      await sleep(Number(retryAfter ?? 0) * 1_000 + 50);
    }
  }
}

/** Checks that a couple has what was acknowledged, once and no other photographs of the clients. */
async function expectWritten(who: Partner, written: readonly Written[]): Promise<void> {
  const { body: ideas } = await who.call('GET /api/DateIdeas');
  const titles = ideas.map(({ id, title }) => `${id} ${title}`);
  expect(titles).toEqual(expect.arrayContaining(written.map(({ ideaId, title }) => `${ideaId} ${title}`)));
  expect(new Set(ideas.map(({ title }) => title)).size).toBe(ideas.length);
  const { body: dates } = await who.call('GET /api/PlannedDates');
  expect(dates.map(({ id }) => id)).toEqual(expect.arrayContaining(written.map(({ dateId }) => dateId)));
  const { body: memories } = await who.call('GET /api/Memories', { query: { count: '500' } });
  const captions = memories.map(({ id, caption }) => `${id} ${caption}`).filter((text) => text.includes(': '));
  expect(captions.sort()).toEqual(written.map(({ memoryId, title }) => `${memoryId} ${title}`).sort());
  for (const { memoryId, photo } of written) {
    const { imageUrl } = memories.find(({ id }) => id === memoryId) ?? {};
    const response = await fetch(`${who.url}${imageUrl}`, { headers: { authorization: `Bearer ${who.token}` } });
    expect(Buffer.from(await response.arrayBuffer()).equals(photo)).toBe(true);
  }
}

/** Checks that every variant of every photograph is a picture of its proportions. */
async function expectEveryPicture(who: Partner): Promise<void> {
  const { body: memories } = await who.call('GET /api/Memories');
  expect(memories.length).toBeGreaterThan(1);
  for (const { imageUrl, previewUrl, thumbnailUrl, width, height } of memories) {
    for (const path of [imageUrl, previewUrl, thumbnailUrl]) {
      const response = await fetch(who.url + path, { headers: { authorization: `Bearer ${who.token}` } });
      const { info } = await sharp(await response.bytes()).toBuffer({ resolveWithObject: true });
      expect(Math.abs(info.width / info.height - width / height), path).toBeLessThan(0.05);
    }
  }
}

async function readiness(app: TestApp): Promise<string> {
  const response = await fetch(`${app.url}/readyz`);
  const { message, status } = (await response.json()) as { message?: string; status: unknown };
  return `${response.status} ${message ?? String(status)}`;
}

describeOnBoth('an upgrade', (engine) => {
  let storage: TestStorage;
  let nodes: Set<TestApp>;
  beforeEach(async () => {
    storage = await createTestStorage(engine);
    setS3Credentials(storage);
    nodes = new Set();
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    await storage.remove();
  });

  /** Starts a node of a version. Its clock starts when the couple last used the release. */
  async function start(version: Migrations, startsAt: number): Promise<TestApp> {
    const offset = startsAt - Date.now();
    const node = await startTestApp(engine, { storage, migrations: version, now: () => Date.now() + offset });
    nodes.add(node);
    return node;
  }

  async function stop(node: TestApp): Promise<void> {
    nodes.delete(node);
    await node.close();
  }

  async function executed(): Promise<string[]> {
    const { db } = openWithoutMigrating(readConfig(storage.env));
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db.read);
    await db.close();
    return rows.map(({ name }) => name);
  }

  it.each(releases.map(({ name }) => name))(
    'from release %s keeps everything',
    { tags: ['durability.nodes.12'] },
    async (release) => {
      const startsAt = await loadRelease(storage, release);
      const app = await start(migrations, startsAt);
      expect(await executed()).toEqual(Object.keys(migrations));
      const couple = [await signIn(app, 'ada'), await signIn(app, 'ben')];
      // A later release may answer with more fields, but with no others.
      const kept = JSON.parse(await readFile(join(RELEASES_FOLDER, release, 'story.json'), 'utf8')) as object[];
      const story = await readKeptStory(app.url, couple);
      expect(story).toMatchObject(kept);
      for (const who of couple) await expectEveryPicture(who);
      const { faults } = await backUpAndVerify(app);
      expect(faults).toEqual([]);
    },
  );

  it('takes the next version and goes back by one, without losing anything', {
    tags: ['durability.nodes.11'],
  }, async () => {
    const startsAt = await loadRelease(storage, newestRelease);
    const written: Written[] = [];
    let story: unknown;
    for (const version of [migrations, nextVersion, migrations]) {
      const app = await start(version, startsAt);
      const ada = await signIn(app, 'ada');
      if (story !== undefined) expect(await readWholeStory(app.url, ada)).toEqual(story);
      expect(await readiness(app)).toBe('200 ok');
      const traffic = new Traffic(nodes, [ada], startsAt, `Round ${written.length}`);
      try {
        await traffic.more(2);
      } finally {
        await traffic.stop();
      }
      expect(traffic.refusals).toEqual([]);
      written.push(...traffic.written);
      await expectWritten(ada, written);
      story = await readWholeStory(app.url, ada);
      expect((await backUpAndVerify(app)).faults).toEqual([]);
      await stop(app);
    }
    expect(await executed()).toEqual(Object.keys(nextVersion));
  });

  it('by two can’t go back: the older version refuses to start, with one sentence', {
    tags: ['durability.nodes.11'],
  }, async () => {
    await (await startTestApp(engine, { storage, migrations: versionAfterNext })).close();
    await expect(start(migrations, Date.now())).rejects.toThrow(TOO_OLD);
    const older = startServer(storage);
    await expect(older.ready).rejects.toThrow('ended with 1');
    expect(older.output()).toBe(`${TOO_OLD}\n`);
    expect(await readiness(await start(nextVersion, Date.now()))).toBe('200 ok');
  });

  /** Backs up a node's data as its version does, and verifies the backup. */
  async function backUpAndVerify({ db }: TestApp): Promise<{ faults: readonly string[] }> {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-upgrade-'));
    const files = await openFiles(readConfig(storage.env));
    await backUp({ db, files, migration: latestMigration, now: Date.now }, folder);
    const result = await verifyBackup(folder);
    await rm(folder, { recursive: true });
    return result;
  }

  onPostgresOnly(engine, () => {
    it('runs node by node while clients work, and neither loses nor doubles anything', {
      tags: ['durability.nodes.11'],
    }, async () => {
      const startsAt = await loadRelease(storage, newestRelease);
      let old = await start(migrations, startsAt);
      const [ada, ben] = [await signIn(old, 'ada'), await signIn(old, 'ben')];
      const traffic = new Traffic(nodes, [ada, ben, ada], startsAt);
      try {
        await traffic.more(3);
        const next = await start(nextVersion, startsAt);
        await traffic.more(6);
        expect([await readiness(old), await readiness(next)]).toEqual(['200 ok', '200 ok']);
        // The old version also starts again beside the new one.
        await stop(old);
        old = await start(migrations, startsAt);
        await traffic.more(6);
        expect(await readiness(old)).toBe('200 ok');
        await start(versionAfterNext, startsAt);
        expect([await readiness(old), await readiness(next)]).toEqual([`503 ${TOO_OLD}`, '200 ok']);
        await stop(old);
        await traffic.more(3);
      } finally {
        await traffic.stop();
      }
      // A read may deadlock with the migration. It is answered with 503 and `Retry-After`, and succeeds when repeated.
      expect(traffic.refusals.filter((refusal) => !refusal.startsWith('503 '))).toEqual([]);
      for (const node of nodes) await expectWritten(ada.at(node), traffic.written);
    });

    it('waits for a backup that reads the tables, and lets requests pass', {
      tags: ['durability.nodes.12'],
    }, async () => {
      const app = await start(migrations, Date.now());
      const ada = await registerAda(app);
      const competitor = await openCompetingConnection(storage);
      let next: Promise<TestApp> | undefined;
      await app.db.snapshot(async (reader) => {
        await reader.selectFrom('ideas').selectAll().execute();
        next = start(nextVersion, Date.now());
        await competitor.waitUntilBlocked();
        for (let i = 0; i < 3; i += 1) await addIdea(ada, { title: `Idea ${i}` });
        expect(await executed()).toEqual(Object.keys(migrations));
      });
      expect(await readiness((await next) as TestApp)).toBe('200 ok');
      expect(await executed()).toEqual(Object.keys(nextVersion));
      await competitor.close();
    });

    it('migrates once when several nodes start at the same time', { tags: ['durability.nodes.12'] }, async () => {
      await loadRelease(storage, newestRelease);
      const servers = await Promise.all([spawnServer(storage), spawnServer(storage), spawnServer(storage)]);
      expect(await executed()).toEqual(Object.keys(migrations));
      for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await Promise.all(servers.map((server) => server.kill()))).toEqual([0, 0, 0]);
    });
  });
});
