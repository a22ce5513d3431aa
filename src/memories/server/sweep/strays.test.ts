import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capture } from '../../../../scripts/lib/tools.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/app.ts';
import { type Partner, registerCouple } from '../../../../tests/support/client.ts';
import { depsOf } from '../../../../tests/support/deps.ts';
import {
  createTestStorage,
  describeOnBoth,
  setS3Credentials,
  sqliteAndDisk,
  type TestStorage,
} from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import { spawnServer } from '../../../../tests/support/spawn-server.ts';
import { deleteCouple } from '../../../auth/server/couple/deletion-store.ts';
import { sweepDeletions } from '../../../auth/server/couple/deletion-sweep.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { readConfig } from '../../../base/server/config.ts';
import { openDb } from '../../../base/server/db/open.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { belongingOf, claimStore } from '../../../base/server/store-identity.ts';
import { newStem } from '../names.ts';
import { removeDueStrays, scanStore, takeStrays } from './strays.ts';
import { sweep } from './sweep.ts';

const DAY = 86_400_000;
const METRICS_TOKEN = 'a-token-for-the-metrics';
const COMMAND = join(import.meta.dirname, '../../../../scripts/sweep.ts');

describeOnBoth('files without a row', (engine) => {
  let storages: TestStorage[];
  let apps: TestApp[];
  /** The offset of the servers' clocks in milliseconds. The ages of files are real. */
  let ahead: number;
  const now = () => Date.now() + ahead;
  const mayContinue = () => true;
  const notStopped = () => false;

  beforeEach(() => {
    storages = [];
    apps = [];
    ahead = 0;
  });
  afterEach(async () => {
    for (const app of apps) await app.close();
    for (const storage of storages) await storage.remove();
  });

  const newStorage = async () => {
    const made = await createTestStorage(engine);
    setS3Credentials(made);
    storages.push(made);
    return made;
  };
  /** An empty database with the photo store of another installation. */
  const freshDatabaseOn = async (store: TestStorage): Promise<TestStorage> => {
    const fresh = await newStorage();
    const { STORAGE_URL, DATA_DIR = '' } = store.env;
    if (STORAGE_URL !== undefined) return { ...fresh, env: { ...fresh.env, STORAGE_URL } };
    await cp(join(DATA_DIR, 'photos'), join(fresh.env.DATA_DIR ?? '', 'photos'), {
      recursive: true,
      preserveTimestamps: true,
    });
    return fresh;
  };
  const start = async (at: TestStorage) => {
    const app = await startTestApp(engine, { now, storage: at, env: { METRICS_TOKEN } });
    apps.push(app);
    await expect.poll(() => isSwept(app), { timeout: 20_000 }).toBe(true);
    return app;
  };
  const stop = async (app: TestApp) => {
    apps = apps.filter((one) => one !== app);
    await app.close();
  };
  /** Whether the sweep at the start of a server is finished. */
  const isSwept = async (app: TestApp) => {
    const rows = await app.db.read
      .selectFrom('scheduledJobs')
      .selectAll()
      .where('name', 'in', ['sweep', 'store'])
      .execute();
    return rows.some(({ doneAt }) => doneAt !== null) && rows.every(({ heldUntil }) => heldUntil === 0);
  };
  const filesAt = ({ env }: TestStorage) => openFiles(readConfig(env));
  const stored = async (files: Files) => (await Array.fromAsync(files.list())).sort();
  const strays = (app: TestApp) => app.db.read.selectFrom('strays').selectAll().execute();
  const stopped = async (who: Partner) => (await who.call('GET /api/keeping')).body.sweep.stopped;
  const figure = async (app: TestApp, name: string) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
    return Number(new RegExp(`^our_love_story_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const album = async (app: TestApp) => {
    const { ada } = await registerCouple(app);
    const { id: dateId } = await planDate(ada);
    const memories = [];
    for (let seed = 1; seed <= 3; seed += 1) memories.push(await addPhoto(ada, dateId, seed));
    return { ada, dateId, memories, coupleId: ada.user.couple.id };
  };
  /** Stores files without a row in a couple's folder. */
  const storeStrays = async (files: Files, folder: string, count: number) => {
    const names = Array.from({ length: count }, () => `${folder}/${newStem()}.jpg`);
    for (const name of names) await files.putBytes(name, Buffer.from('x'), 'image/jpeg');
    return names;
  };
  /** Collects the logged errors. */
  const collectErrors = (deps: Deps) => {
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(deps.log) as Deps['log'], {
      error: (what: unknown) => errors.push(what),
    });
    return { deps: { ...deps, log }, errors };
  };
  const confirm = async ({ env }: TestStorage, ...options: string[]) => {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    return capture('env', ['-i', ...variables, process.execPath, COMMAND, ...options]);
  };

  describe('of an album that lost its database', () => {
    it('are not deleted by a start on an empty database; settings, metrics and log say why', async () => {
      const home = await newStorage();
      const first = await start(home);
      const { memories } = await album(first);
      const files = await filesAt(home);
      await expect
        .poll(async () => (await stored(files)).length, { timeout: 20_000 })
        .toBeGreaterThanOrEqual(memories.length * 2);
      await stop(first);
      const lost = await freshDatabaseOn(home);
      const there = await filesAt(lost);
      const before = await stored(there);
      ahead = 60 * DAY;
      const second = await start(lost);
      const { ada: eve } = await registerCouple(second);
      expect(await stopped(eve)).toBe('otherStore');
      expect(await figure(second, 'sweep_stopped')).toBe(1);
      ahead = 120 * DAY;
      const { deps, errors } = collectErrors(await depsOf(second, now));
      await sweep(deps, notStopped);
      expect(errors).toEqual([{ reason: 'otherStore' }]);
      expect(await stored(there)).toEqual(before);
    });

    it('are not deleted if the store was never labeled, as before an upgrade', async () => {
      const home = await newStorage();
      const files = await filesAt(home);
      const left = await storeStrays(files, randomUUID(), 3);
      ahead = 60 * DAY;
      const app = await start(home);
      const { ada } = await registerCouple(app);
      expect(await stopped(ada)).toBe('unknownCouples');
      expect([await figure(app, 'sweep_stopped'), await figure(app, 'stray_files')]).toEqual([1, 3]);
      ahead = 120 * DAY;
      const { deps, errors } = collectErrors(await depsOf(app, now));
      await sweep(deps, notStopped);
      expect(errors).toEqual([{ reason: 'unknownCouples' }]);
      expect(await files.readLabel()).toBeNull();
      expect(await stored(files)).toEqual(left.sort());
    });

    it('prevent claiming the store even if they are young', async () => {
      const home = await newStorage();
      const files = await filesAt(home);
      await storeStrays(files, randomUUID(), 1);
      await start(home);
      expect(await files.readLabel()).toBeNull();
    });

    it('are reported by the real server', async () => {
      const home = await newStorage();
      const files = await filesAt(home);
      await files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 3 }));
      const left = await storeStrays(files, randomUUID(), 2);
      const server = await spawnServer(home, { env: { LOG_LEVEL: 'error' } });
      await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('the sweep is stopped');
      expect(server.output()).toContain('npm run sweep -- --confirm');
      await server.kill();
      expect(await stored(files)).toEqual(left.sort());
    });

    it('are deleted thirty days after an operator confirmed them', async () => {
      const home = await newStorage();
      const files = await filesAt(home);
      const left = await storeStrays(files, randomUUID(), 3);
      ahead = 60 * DAY;
      const app = await start(home);
      const { ada } = await registerCouple(app);
      // The command has the real clock.
      ahead = 0;
      const shown = await confirm(home);
      expect([shown.code, shown.output]).toEqual([1, expect.stringContaining('1 couple not in the database')]);
      const { output, code } = await confirm(home, '--confirm');
      expect([code, output]).toEqual([0, expect.stringContaining('Confirmed')]);
      expect(await stopped(ada)).toBeNull();
      const deps = await depsOf(app, now);
      ahead = 29 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(files)).toEqual(left.sort());
      // They were found by a server whose clock was sixty days ahead.
      ahead = 92 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(files)).toEqual([]);
      expect(await strays(app)).toEqual([]);
    });
  });

  describe('of a known couple', () => {
    let home: TestStorage;
    let app: TestApp;
    let deps: Deps;
    let files: Files;
    let ours: Awaited<ReturnType<typeof album>>;
    beforeEach(async () => {
      home = await newStorage();
      app = await start(home);
      ours = await album(app);
      deps = await depsOf(app, now);
      ({ files } = deps);
    });
    const originals = () => ours.memories.map(({ fileName }) => `${ours.coupleId}/${fileName}`);

    it('are deleted thirty days after they were found, and files of memories never', async () => {
      const [left = ''] = await storeStrays(files, ours.coupleId, 1);
      ahead = 60 * DAY;
      await sweep(deps, notStopped);
      expect(await strays(app)).toHaveLength(1);
      ahead = 89 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(files)).toContain(left);
      ahead = 91 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(files)).not.toContain(left);
      expect(await stored(files)).toEqual(expect.arrayContaining(originals()));
      expect(await strays(app)).toEqual([]);
    });

    it('are no longer recorded once they have a row again or are gone', async () => {
      const [first = ''] = originals();
      const row = await app.db.read.selectFrom('memories').selectAll().execute();
      const [memory] = row.filter(({ fileName }) => first.endsWith(fileName));
      if (!memory) throw new Error('there is no such memory');
      await app.db.write((tx) => tx.deleteFrom('memories').where('id', '=', memory.id).execute());
      const [gone = ''] = await storeStrays(files, ours.coupleId, 1);
      ahead = 2 * DAY;
      await sweep(deps, notStopped);
      expect((await strays(app)).length).toBeGreaterThanOrEqual(3);
      await app.db.write((tx) => tx.insertInto('memories').values(memory).execute());
      await files.remove(gone);
      ahead = 33 * DAY;
      await sweep(deps, notStopped);
      expect(await strays(app)).toEqual([]);
      expect(await stored(files)).toContain(first);
    });

    it('are kept if they were stored again since they were found', async () => {
      const [left = ''] = await storeStrays(files, ours.coupleId, 1);
      ahead = 2 * DAY;
      await scanStore(deps, DAY, mayContinue);
      // S3 reports times in whole seconds.
      const before = await files.storedAt(left);
      await expect
        .poll(
          async () => {
            await files.putBytes(left, Buffer.from('y'), 'image/jpeg');
            return files.storedAt(left);
          },
          { timeout: 20_000 },
        )
        .not.toBe(before);
      ahead = 33 * DAY;
      await removeDueStrays(deps, mayContinue);
      expect(await stored(files)).toContain(left);
      expect(await strays(app)).toEqual([]);
    });

    it('are kept if an import takes them while the sweep looks at them', async () => {
      const [left = ''] = await storeStrays(files, ours.coupleId, 1);
      ahead = 2 * DAY;
      await scanStore(deps, DAY, mayContinue);
      ahead = 33 * DAY;
      const storedAt: Files['storedAt'] = async (name) => {
        await takeStrays(app, ours.coupleId as CoupleId);
        return files.storedAt(name);
      };
      await removeDueStrays({ ...deps, files: { ...files, storedAt } }, mayContinue);
      expect(await stored(files)).toContain(left);
    });

    it('are neither deleted nor forgotten if listing the store fails halfway', async () => {
      const left = await storeStrays(files, ours.coupleId, 2);
      ahead = 2 * DAY;
      await sweep(deps, notStopped);
      const found = await strays(app);
      expect(found).toHaveLength(2);
      async function* broken() {
        yield originals()[0] ?? '';
        throw new Error('the store is away');
      }
      ahead = 40 * DAY;
      const heard = collectErrors({ ...deps, files: { ...files, list: broken } });
      await sweep(heard.deps, notStopped);
      expect(heard.errors).toHaveLength(1);
      expect(await strays(app)).toEqual(found);
      expect(await stored(files)).toEqual(expect.arrayContaining(left));
    });

    it('stop the sweep if they are too many, until an operator confirms them', async () => {
      const left = await storeStrays(files, ours.coupleId, 20);
      ahead = 2 * DAY;
      await sweep(deps, notStopped);
      expect([await stopped(ours.ada), await figure(app, 'stray_files')]).toEqual(['tooMany', 20]);
      ahead = 40 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(files)).toEqual(expect.arrayContaining(left));
      // Found on the second day; the command has the real clock, which is before it.
      expect((await confirm(home, '--confirm')).code).toBe(0);
      await sweep(deps, notStopped);
      expect((await stored(files)).filter((name) => left.includes(name))).toEqual([]);
      ahead = 0;
      expect(await stopped(ours.ada)).toBeNull();
    });

    it('are not strays while their space is being deleted', async () => {
      const coupleId = ours.coupleId as CoupleId;
      await app.db.write((tx) => deleteCouple(tx, coupleId, now()));
      ahead = 2 * DAY;
      await scanStore(deps, DAY, mayContinue);
      expect(await strays(app)).toEqual([]);
    });
  });

  describe('and other code that deletes files', () => {
    /** Creates an album with files that each of them is due to delete. */
    const due = async (app: TestApp) => {
      const { ada, memories, coupleId } = await album(app);
      await ada.call('DELETE /api/Memories/{id}', { params: { id: memories[0]?.id ?? '' } });
      const deps = await depsOf(app, now);
      const stem = newStem();
      const left = `${coupleId}/${stem}.jpg`;
      await deps.files.putBytes(left, Buffer.from('x'), 'image/jpeg');
      await app.db.write((tx) =>
        tx
          .insertInto('pendingFiles')
          .values({ coupleId: coupleId as CoupleId, fileName: stem, createdAt: now() })
          .execute(),
      );
      await expect.poll(async () => (await stored(deps.files)).length, { timeout: 20_000 }).toBeGreaterThan(9);
      return deps;
    };

    it.each([
      ['otherStore', async ({ files }: Deps) => files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }))],
      [
        'olderDatabase',
        // The database was restored from a backup made before the last sweep.
        async ({ db }: Deps) => db.write((tx) => tx.updateTable('storeIdentity').set({ sweeps: 0 }).execute()),
      ],
    ] as const)('delete nothing if the store does not belong to the database: %s', async (reason, separate) => {
      const app = await start(await newStorage());
      const deps = await due(app);
      await separate(deps);
      const before = await stored(deps.files);
      ahead = 60 * DAY;
      await sweep(deps, notStopped);
      expect(await stored(deps.files)).toEqual(before);
      const rows = await app.db.read.selectFrom('pendingFiles').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(await readStop(app)).toBe(reason);
    });

    it('wait another thirty days once an operator has confirmed the store', async () => {
      const home = await newStorage();
      const app = await start(home);
      const { ada, memories } = await album(app);
      const id = memories[0]?.id ?? '';
      await ada.call('DELETE /api/Memories/{id}', { params: { id } });
      await ada.call('POST /api/couple/deletion', { body: { currentPassword: ada.password } });
      const deps = await depsOf(app, now);
      // In the newer state of the database, the photograph was put back, and the request was withdrawn.
      await app.db.write(async (tx) => {
        await tx.updateTable('storeIdentity').set({ sweeps: 0 }).execute();
        const past = { deletedAt: Date.now() - 40 * DAY, dueAt: Date.now() - DAY };
        await tx.updateTable('memories').set({ deletedAt: past.deletedAt }).where('id', '=', id).execute();
        await tx.updateTable('deletions').set({ dueAt: past.dueAt }).execute();
      });
      expect((await confirm(home, '--confirm')).code).toBe(0);
      const sweepAll = async () => {
        await sweep(deps, notStopped);
        await sweepDeletions(deps, notStopped);
      };
      ahead = 29 * DAY;
      await sweepAll();
      expect((await ada.call('POST /api/Trash/{id}/restore', { params: { id } })).status).toBe(200);
      ahead = 31 * DAY;
      await sweepAll();
      expect(await app.db.read.selectFrom('couples').selectAll().execute()).toEqual([]);
    });

    it('delete what is due if the store belongs to the database', async () => {
      const app = await start(await newStorage());
      const deps = await due(app);
      const before = await stored(deps.files);
      ahead = 60 * DAY;
      await sweep(deps, notStopped);
      // Three sizes of a memory in the trash, and a file of an interrupted upload.
      expect(await stored(deps.files)).toHaveLength(before.length - 4);
    });

    const readStop = async (app: TestApp) => {
      const row = await app.db.read
        .selectFrom('scheduledJobs')
        .select('state')
        .where('name', '=', 'store')
        .executeTakeFirst();
      return (JSON.parse(row?.state ?? '{}') as { reason?: string }).reason;
    };
  });

  describe('with two nodes', () => {
    it('that start at once, give database and store the same identity', async () => {
      const home = await newStorage();
      // The database has only empty tables.
      await (await openDb(readConfig(home.env))).close();
      // SQLite allows one process only; two servers in this process would wait for each other.
      const both =
        engine === sqliteAndDisk
          ? ([await start(home), await start(home)] as const)
          : await Promise.all([start(home), start(home)]);
      const label = JSON.parse((await (await filesAt(home)).readLabel()) ?? '{}') as { id: string };
      const rows = await both[0].db.read.selectFrom('storeIdentity').selectAll().execute();
      expect(rows).toMatchObject([{ id: label.id }]);
      const { ada } = await registerCouple(both[1]);
      expect(await stopped(ada)).toBeNull();
    });

    it('that compare while another one claims the store, find that it belongs to the database', async () => {
      const { env } = await newStorage();
      const db = await openDb(readConfig(env));
      const files = await openFiles(readConfig(env));
      const readLabel = async () => {
        const label = await files.readLabel();
        if (label === null) await claimStore({ db, files }, now());
        return label;
      };
      expect(await belongingOf({ db, files: { ...files, readLabel } })).toBe('same');
      await db.close();
    });

    /** Sweeps until the scan has begun. The sweep at the start of the server may still hold the lease. */
    const sweepUntil = async (hasEntered: () => boolean, deps: Deps) => {
      while (!hasEntered()) {
        ahead += 2 * DAY;
        await sweep(deps, notStopped);
      }
    };

    it('are swept by only one of them', async () => {
      const home = await newStorage();
      const one = await start(home);
      const other = await start(home);
      const lists: string[] = [];
      const node = async (app: TestApp, name: string): Promise<Deps> => {
        const deps = await depsOf(app, now);
        const list = (...which: Parameters<Files['list']>) => {
          lists.push(name);
          return deps.files.list(...which);
        };
        return { ...deps, files: { ...deps.files, list } };
      };
      const [first, second] = [await node(one, 'first'), await node(other, 'second')];
      // The first one is still listing files when the second starts.
      const look = { entered: false };
      const inside = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      async function* slow() {
        look.entered = true;
        inside.resolve();
        await free.promise;
        yield* first.files.list();
      }
      const sweeping = sweepUntil(() => look.entered, { ...first, files: { ...first.files, list: slow } });
      await inside.promise;
      await sweep(second, notStopped);
      expect(lists).toEqual([]);
      free.resolve();
      await sweeping;
      expect(lists).toEqual(['first']);
    });

    it('save nothing of a scan that ends after another one has taken over the lease', async () => {
      const home = await newStorage();
      const [one, other] = [await start(home), await start(home)];
      const [first, second] = [await depsOf(one, now), await depsOf(other, now)];
      const inside = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      // Like a node that is suspended after it has listed the store, which was still empty.
      const look = { entered: false };
      async function* suspended() {
        look.entered = true;
        const names = await Array.fromAsync(first.files.list());
        inside.resolve();
        await free.promise;
        yield* names;
      }
      const sweeping = sweepUntil(() => look.entered, { ...first, files: { ...first.files, list: suspended } });
      await inside.promise;
      await storeStrays(second.files, randomUUID(), 3);
      ahead += 3 * 60_000;
      const lastScan = async () => {
        const job = other.db.read.selectFrom('scheduledJobs').select('state').where('name', '=', 'sweep');
        return JSON.parse((await job.executeTakeFirst())?.state ?? '{}') as unknown;
      };
      const sweepAgain = async () => {
        await sweep(second, notStopped);
        return lastScan();
      };
      const found = { look: { files: 3 }, stopped: 'unknownCouples' };
      // The sweep at the start of a server may hold the lease now. Its scan finds the same.
      await expect.poll(sweepAgain, { timeout: 15_000 }).toMatchObject(found);
      ahead += 60_000;
      free.resolve();
      await sweeping;
      expect(await lastScan()).toMatchObject(found);
    });
  });
});
