import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth, onPostgresOnly, onSqliteOnly, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import { makeJpeg } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { runCommand } from '../../../../tests/support/run-command.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { spawnServer } from '../../../../tests/support/spawn-server.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { createUpload } from '../../../../tests/support/tus.ts';
import { photoForm, upload } from '../../../../tests/support/upload.ts';
import { sweepDeletions } from '../../../auth/server/couple/deletion-sweep.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { openDb } from '../../../base/server/db/open.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { countSweep, databaseId, findMismatch } from '../../../base/server/files/store-identity.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { scrubAll, scrubNextBatch } from '../../../keeping/server/integrity/scrub.ts';
import { newStem } from '../stored-names.ts';
import { sweep } from './sweep.ts';

const DAY = 86_400_000;
const METRICS_TOKEN = 'a-token-for-the-metrics';

describeOnBoth('a photo store', (engine) => {
  let storages: TestStorage[];
  let apps: TestApp[];
  /** The offset of the servers' clocks in milliseconds. The ages of files are real. */
  let ahead: number;
  const now = () => Date.now() + ahead;
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
  const start = async (at: TestStorage, step: (name: string) => void = () => undefined) => {
    const app = await startTestApp(engine, { now, storage: at, crashPoint: step, env: { METRICS_TOKEN } });
    apps.push(app);
    return app;
  };
  const stop = async (app: TestApp) => {
    apps = apps.filter((one) => one !== app);
    await app.close();
  };
  const filesAt = ({ env }: TestStorage) => openFiles(readConfig(env));
  const stored = async (files: Files) => (await Array.fromAsync(files.list())).sort();
  const stopped = async (who: Partner) => (await who.call('GET /api/keeping')).body.sweep.stopped;
  const readiness = async (app: Pick<TestApp, 'url'>) => {
    const response = await fetch(`${app.url}/readyz`);
    return [response.status, ((await response.json()) as { message?: string }).message ?? ''] as const;
  };
  const figure = async (app: TestApp, name: string) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
    return Number(new RegExp(`^our_love_story_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const album = async (app: TestApp) => {
    const { ada } = await registerCouple(app);
    const { id: dateId } = await planDate(ada);
    const memories = [];
    for (let seed = 1; seed <= 2; seed += 1) memories.push(await addPhoto(ada, dateId, seed));
    return { ada, dateId, memories, coupleId: ada.user.couple.id };
  };
  /** Expects that a photograph is refused as a form and in parts, and that nothing is stored. */
  const expectRefused = async (ada: Partner, dateId: string, app: Pick<TestApp, 'url'>) => {
    const who = ada.at(app);
    const bytes = await makeJpeg({ seed: 50 });
    const form = await upload(who, bytes, { dateId });
    expect([form.status, form.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await createUpload(who, 100, { dateId })).status).toBe(503);
    expect((await who.call('GET /api/Memories')).body).toHaveLength(2);
  };
  /** Collects the logged errors. */
  const collectErrors = (deps: Deps) => {
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(deps.log) as Deps['log'], {
      error: (what: unknown) => errors.push(what),
    });
    return { deps: { ...deps, log }, errors };
  };
  const adopt = async ({ env }: TestStorage, ...options: string[]) => {
    const { code, out, err } = await runCommand('adopt-store', env, options);
    return { code, output: out + err };
  };
  /** The same database with an empty store in place of its own, and a way back. */
  const withEmptyStore = async (home: TestStorage) => {
    if (engine !== sqliteAndDisk) {
      const { STORAGE_URL = '' } = (await newStorage()).env;
      return { empty: { ...home, env: { ...home.env, STORAGE_URL } }, putBack: async () => undefined };
    }
    const photos = join(home.env.DATA_DIR ?? '', 'photos');
    await rename(photos, `${photos}-away`);
    await mkdir(photos);
    return {
      empty: home,
      putBack: async () => {
        await rm(photos, { recursive: true });
        await rename(`${photos}-away`, photos);
      },
    };
  };

  describe('in place of the album’s own', () => {
    it('takes no photograph; readiness, settings, metrics and log say why, and nothing is lost', {
      tags: ['durability.store.1'],
    }, async () => {
      const home = await newStorage();
      const first = await start(home);
      const { ada, dateId, memories } = await album(first);
      expect(await readiness(first)).toEqual([200, '']);
      await stop(first);
      const { empty, putBack } = await withEmptyStore(home);
      const server = await spawnServer(empty, { env: { LOG_LEVEL: 'error' } });
      await expectRefused(ada, dateId, server);
      const [status, why] = await readiness(server);
      expect([status, why]).toEqual([503, expect.stringContaining('belongs to another database, or has no label')]);
      expect(await stopped(ada.at(server))).toBe('otherStore');
      await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('No photograph is taken');
      expect(server.output()).not.toMatch(/confirm|adopt/);
      expect(await stored(await filesAt(empty))).toEqual([]);
      await server.kill();
      await putBack();
      const last = await start(home);
      expect(await readiness(last)).toEqual([200, '']);
      await addPhoto(ada.at(last), dateId, 3);
      for (const { imageUrl } of memories) {
        const headers = { authorization: `Bearer ${ada.token}` };
        expect((await fetch(last.url + imageUrl, { headers })).status).toBe(200);
      }
    });

    onSqliteOnly(engine, () => {
      it('takes no photograph either if it has the label of another database', {
        tags: ['durability.store.1'],
      }, async () => {
        const app = await start(await newStorage());
        const { ada, dateId } = await album(app);
        const { files } = await depsOf(app);
        const label = await files.readLabel();
        const before = await stored(files);
        await files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }));
        await expectRefused(ada, dateId, app);
        expect(await figure(app, 'sweep_stopped')).toBe(1);
        expect(await stored(files)).toEqual(expect.arrayContaining(before));
        await files.writeLabel(label ?? '');
        await addPhoto(ada, dateId, 3);
        expect([await figure(app, 'sweep_stopped'), await stopped(ada)]).toEqual([0, null]);
      });

      it('takes no photograph that began to arrive before it was there', { tags: ['durability.store.1'] }, async () => {
        const arriving = Promise.withResolvers<void>();
        const app = await start(await newStorage(), (name) => name === 'receiving' && arriving.resolve());
        const { ada, dateId } = await album(app);
        const { files } = await depsOf(app);
        const label = await files.readLabel();
        const form = new Response(photoForm(await makeJpeg({ seed: 51, width: 1200, height: 1200 }), { dateId }));
        const bytes = Buffer.from(await form.arrayBuffer());
        async function* slowly() {
          yield bytes.subarray(0, 20_000);
          await arriving.promise;
          await files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }));
          yield bytes.subarray(20_000);
        }
        const headers = {
          authorization: `Bearer ${ada.token}`,
          'content-type': form.headers.get('content-type') ?? '',
        };
        const init = {
          method: 'POST',
          headers,
          body: Readable.toWeb(Readable.from(slowly())) as BodyInit,
          duplex: 'half',
        } as const;
        expect((await fetch(`${app.url}/api/Memories`, init)).status).toBe(503);
        await files.writeLabel(label ?? '');
        expect((await ada.call('GET /api/Memories')).body).toHaveLength(2);
        expect((await stored(files)).filter((name) => !name.includes('preview'))).toHaveLength(4);
        await expect.poll(() => app.db.read.selectFrom('pendingFiles').selectAll().execute()).toEqual([]);
      });

      it('is neither read as damaged nor filled from a backup', { tags: ['durability.store.1'] }, async () => {
        const app = await start(await newStorage());
        await album(app);
        const deps = await depsOf(app, now);
        await deps.files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }));
        const [photograph = ''] = await stored(deps.files);
        await deps.files.remove(photograph);
        await scrubNextBatch(deps, notStopped);
        await expect(scrubAll(deps, () => undefined)).rejects.toThrow('belongs to another database');
        expect(await app.db.read.selectFrom('damagedFiles').selectAll().execute()).toEqual([]);
      });
    });

    onPostgresOnly(engine, () => {
      it('is not created if its bucket is mistyped', { tags: ['durability.store.2'] }, async () => {
        const home = await newStorage();
        const first = await start(home);
        const { ada, dateId } = await album(first);
        await stop(first);
        const url = new URL(home.env.STORAGE_URL ?? '');
        const STORAGE_URL = `s3://mistyped-${randomUUID()}${url.pathname}${url.search}`;
        const mistyped = { ...home, env: { ...home.env, STORAGE_URL } };
        const second = await start(mistyped);
        await expectRefused(ada, dateId, second);
        expect(await readiness(second)).toEqual([503, 'The bucket in STORAGE_URL doesn’t exist.']);
        await expect((await filesAt(mistyped)).check()).rejects.toThrow('doesn’t exist');
      });
    });
  });

  describe('that is given to the database by an operator', () => {
    it('takes photographs again, after a look at what it has', { tags: ['durability.store.11'] }, async () => {
      const home = await newStorage();
      const app = await start(home);
      const { ada, dateId, memories } = await album(app);
      const deps = await depsOf(app, now);
      await deps.files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 9 }));
      await deps.files.remove(`${ada.user.couple.id}/${memories[0]?.fileName}`);
      const shown = await adopt(home);
      expect([shown.code, shown.output]).toEqual([1, expect.stringContaining('has 1 of the 2 photographs')]);
      await expectRefused(ada, dateId, app);
      const { output, code } = await adopt(home, '--yes');
      expect([code, output]).toEqual([0, expect.stringContaining('belongs to this database')]);
      await addPhoto(ada, dateId, 3);
      expect(await readiness(app)).toEqual([200, '']);
    });

    onSqliteOnly(engine, () => {
      it('is swept after another thirty days, without the pending files of the older database', {
        tags: ['durability.store.7'],
      }, async () => {
        const home = await newStorage();
        const app = await start(home);
        const { ada, memories, coupleId } = await album(app);
        const id = memories[0]?.id ?? '';
        await ada.call('DELETE /api/Memories/{id}', { params: { id } });
        await ada.call('POST /api/couple/deletion', { body: { currentPassword: ada.password } });
        const deps = await depsOf(app, now);
        // What was an upload when the database was copied is a photograph of its newer state.
        const stem = newStem();
        await deps.files.putBytes(`${coupleId}/${stem}.jpg`, Buffer.from('x'), 'image/jpeg');
        // In the newer state, the photograph in the trash was put back, and the request was withdrawn.
        await app.db.write(async (tx) => {
          await tx.updateTable('storeIdentity').set({ sweeps: 0 }).execute();
          const past = { deletedAt: Date.now() - 40 * DAY, dueAt: Date.now() - DAY };
          await tx.updateTable('memories').set({ deletedAt: past.deletedAt }).where('id', '=', id).execute();
          await tx.updateTable('deletions').set({ dueAt: past.dueAt }).execute();
          await tx
            .insertInto('pendingFiles')
            .values({ coupleId: coupleId as CoupleId, fileName: stem, createdAt: past.deletedAt })
            .execute();
        });
        await deps.files.writeLabel(JSON.stringify({ id: await databaseId(app.db), sweeps: 5 }));
        expect((await adopt(home, '--yes')).code).toBe(0);
        const sweepAll = async () => {
          await sweep(deps, notStopped);
          await sweepDeletions(deps, notStopped);
        };
        ahead = 29 * DAY;
        await sweepAll();
        expect(await stored(deps.files)).toContain(`${coupleId}/${stem}.jpg`);
        expect((await ada.call('POST /api/Trash/{id}/restore', { params: { id } })).status).toBe(200);
        ahead = 31 * DAY;
        await sweepAll();
        expect(await app.db.read.selectFrom('couples').selectAll().execute()).toEqual([]);
      });
    });
  });

  describe('and the sweep', () => {
    /** Creates an album with files that are due to be deleted. */
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
      // Two photographs in three sizes each.
      await expect.poll(async () => (await stored(deps.files)).length, { timeout: 20_000 }).toBe(7);
      return { ada, deps };
    };

    it.each([
      ['otherStore', async ({ files }: Deps) => files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }))],
      [
        'olderDatabase',
        // The database was restored from a backup made before the last sweep.
        async ({ db, files }: Deps) => {
          await files.writeLabel(JSON.stringify({ id: await databaseId(db), sweeps: 9 }));
        },
      ],
    ] as const)(
      'delete nothing if it does not belong to the database: %s',
      { tags: ['durability.store.1'] },
      async (reason, separate) => {
        const app = await start(await newStorage());
        const { ada, deps } = await due(app);
        await separate(deps);
        const pendingFiles = () => app.db.read.selectFrom('pendingFiles').selectAll().execute();
        await expect.poll(async () => (await pendingFiles()).length).toBe(1);
        const before = await stored(deps.files);
        ahead = 60 * DAY;
        const { deps: watched, errors } = collectErrors(deps);
        await sweep(watched, notStopped);
        expect(errors).toEqual([{ reason }]);
        expect(await stored(deps.files)).toEqual(before);
        expect(await pendingFiles()).toHaveLength(1);
        ahead = 0;
        expect(await stopped(ada)).toBe(reason);
      },
    );

    onSqliteOnly(engine, () => {
      it('delete what is due if it belongs to the database', async () => {
        const app = await start(await newStorage());
        const { deps } = await due(app);
        ahead = 60 * DAY;
        await sweep(deps, notStopped);
        expect(await stored(deps.files)).toHaveLength(3);
      });
    });

    it('claim it for a new database, also if it has files that no row names', async () => {
      const home = await newStorage();
      const files = await filesAt(home);
      await files.create();
      const name = `${randomUUID()}/${newStem()}.jpg`;
      await files.putBytes(name, Buffer.from('x'), 'image/jpeg');
      const app = await start(home);
      await album(app);
      ahead = 120 * DAY;
      await sweep(await depsOf(app, now), notStopped);
      expect(await stored(files)).toContain(name);
    });
  });

  describe('with two nodes', () => {
    it('that start at once, gets the identity of the database', async () => {
      const home = await newStorage();
      // The database has only empty tables.
      await (await openDb(readConfig(home.env))).close();
      // SQLite allows one process only; two servers in this process would wait for each other.
      const both =
        engine === sqliteAndDisk
          ? ([await start(home), await start(home)] as const)
          : await Promise.all([start(home), start(home)]);
      for (const app of both) expect(await readiness(app)).toEqual([200, '']);
      const label = JSON.parse((await (await filesAt(home)).readLabel()) ?? '{}') as { id: string };
      const rows = await both[0].db.read.selectFrom('storeIdentity').selectAll().execute();
      expect(rows).toMatchObject([{ id: label.id }]);
      const { ada } = await registerCouple(both[1]);
      expect(await stopped(ada)).toBeNull();
    });

    it('of which one counts a sweep while the other compares, belongs to the database', async () => {
      const app = await start(await newStorage());
      const deps = await depsOf(app);
      expect(await findMismatch(deps)).toBeNull();
      const readLabel = async () => {
        await countSweep(deps);
        return deps.files.readLabel();
      };
      expect(await findMismatch({ ...deps, files: { ...deps.files, readLabel } })).toBeNull();
    });

    it('is swept by only one of them', { tags: ['durability.store.8'] }, async () => {
      const home = await newStorage();
      const [one, other] = [await start(home), await start(home)];
      const [first, second] = [await depsOf(one, now), await depsOf(other, now)];
      const [inside, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const steps: string[] = [];
      const slow = async () => {
        steps.push('first');
        inside.resolve();
        await free.promise;
      };
      const sweepUntilEntered = async () => {
        // The sweep at the start of a server may still hold the lease.
        while (steps.length === 0) await sweep(first, notStopped, [slow]);
      };
      const sweeping = sweepUntilEntered();
      await inside.promise;
      await sweep(second, notStopped, [async () => void steps.push('second')]);
      free.resolve();
      await sweeping;
      expect(steps).toEqual(['first']);
    });
  });
});
