import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { untilSwept } from '../../../../tests/support/until-swept.ts';
import { longDate } from '../../../base/date-formats.ts';
import { DAY, HOUR } from '../../../base/durations.ts';
import { openWithoutMigrating } from '../../../base/server/db/open.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { serverZone } from '../../../base/server/process/server-zone.ts';
import type { Memory } from '../../../memories/contract.ts';
import type { Manifest } from '../../manifest.ts';
import { stampOf } from './backup-folder.ts';
import { type BackupState, backUpNightly } from './nightly-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

/** More than thinning leaves of one database. */
const NIGHTS = 9;

describeOnSqlite('backups of several databases in one folder', (engine) => {
  let folder: string;
  let storages: TestStorage[];
  let apps: TestApp[];
  let ahead: number;
  let warnings: unknown[];
  let memory: Memory;
  /** The stamp of the backup with the photograph. */
  let real: string;
  const now = () => Date.now() + ahead;

  const manifest = async () => JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const start = async (storage?: TestStorage) => {
    const app = await startTestApp(engine, { now, ...(storage === undefined ? {} : { storage }) });
    apps.push(app);
    // The clock must not move while the sweep at the start holds its lease.
    await untilSwept(app);
    return app;
  };
  const nights = async (app: TestApp, count: number) => {
    setS3Credentials(app.storage);
    const plain = await depsOf(app, now);
    const log = Object.assign(Object.create(plain.log) as Deps['log'], {
      warn: (what: unknown) => warnings.push(what),
    });
    const deps = { ...plain, log, config: { ...plain.config, backupDir: folder } };
    for (let night = 0; night < count; night += 1) {
      ahead += DAY + 4 * HOUR;
      expect(await backUpNightly(deps, () => false)).toBe(true);
    }
  };
  const photographs = async () => (await readdir(join(folder, 'photos'), { recursive: true })).join(' ');
  const intoFreshStorage = async () => {
    const storage = await createTestStorage(engine);
    storages.push(storage);
    setS3Credentials(storage);
    const config = readConfig(storage.env);
    const found = openWithoutMigrating(config);
    await restoreBackup({ ...found, files: await openFiles(config) }, folder, real);
    await found.db.close();
    return storage;
  };
  /** Checks that the real backup is still there, whole, and can be restored. */
  const expectRealBackup = async () => {
    expect(await readdir(join(folder, 'earlier'))).toContain(`${real}.json`);
    expect((await verifyBackup(folder, real)).faults).toEqual([]);
    expect(await photographs()).toContain(memory.fileName);
  };

  beforeEach(async () => {
    [storages, apps, ahead, warnings] = [[], [], 0, []];
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-databases-'));
    const home = await start();
    const { ada } = await registerCouple(home);
    memory = await addPhoto(ada, (await planDate(ada)).id, 1);
    await nights(home, 1);
    real = stampOf((await manifest()).createdAt);
  });
  afterEach(async () => {
    for (const app of apps) await app.close();
    for (const storage of storages) await storage.remove();
    await rm(folder, { recursive: true });
  });

  it('stay the newest when the server has started with an empty database, and are what a restore takes', {
    tags: ['keeping.backup.7'],
  }, async () => {
    const empty = await start();
    setS3Credentials(empty.storage);
    const plain = await depsOf(empty, now);
    ahead += DAY;
    const deps = { ...plain, config: { ...plain.config, backupDir: folder } };
    expect(await backUpNightly(deps, () => false)).toBe(false);
    expect((await readScheduledJob<BackupState>(empty.db.read, 'backup')).state?.hasFailed).toBe(true);
    expect(stampOf((await manifest()).createdAt)).toBe(real);
    expect(await readdir(join(folder, 'tables'))).toEqual([real]);
    const found = openWithoutMigrating(plain.config);
    const { createdAt } = await restoreBackup({ ...found, files: plain.files }, folder);
    await found.db.close();
    expect(stampOf(createdAt)).toBe(real);
  });

  it('are listed by a restore without a name, if the newest has no couple, as an older version made it', {
    tags: ['keeping.backup.8'],
  }, async () => {
    const newest = await manifest();
    await mkdir(join(folder, 'earlier'), { recursive: true });
    await writeFile(join(folder, 'earlier', `${real}.json`), JSON.stringify(newest));
    const tables = newest.tables.map((one) => (one.table === 'couples' ? { ...one, rows: 0 } : one));
    const empty = { ...newest, tables, createdAt: new Date(now()).toISOString(), sequence: newest.sequence + 1 };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(empty));
    const storage = await createTestStorage(engine);
    storages.push(storage);
    setS3Credentials(storage);
    const config = readConfig(storage.env);
    const found = openWithoutMigrating(config);
    const refused = restoreBackup({ ...found, files: await openFiles(config) }, folder);
    const day = longDate(Date.parse(newest.createdAt), serverZone());
    await expect(refused).rejects.toMatchObject({
      message: 'The newest backup has no couple. Nothing was restored. Name the backup that you want:',
      list: [`${real}  ${day}: 1 couple, 1 idea, 1 date and 1 photograph`],
    });
    await found.db.close();
    await intoFreshStorage();
  });

  it('stay when the server has started with the database of another couple, also if an older version made them', {
    tags: ['keeping.backup.7'],
  }, async () => {
    const { database: _, ...old } = await manifest();
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(old));
    const wrong = await start();
    await registerCouple(wrong);
    await nights(wrong, NIGHTS);
    await expectRealBackup();
  });

  it('are thinned together if one was restored from the other', { tags: ['keeping.backup.7'] }, async () => {
    const restored = await start(await intoFreshStorage());
    const { ada } = await registerCouple(restored);
    await restored.db.write((tx) => tx.deleteFrom('memories').where('id', '=', memory.id).execute());
    await addPhoto(ada, (await planDate(ada)).id, 2);
    await nights(restored, NIGHTS);
    expect(await readdir(join(folder, 'earlier'))).toHaveLength(7);
    expect(await photographs()).not.toContain(memory.fileName);
  });

  it('stay while the photo store belongs to another state of the database', {
    tags: ['keeping.backup.7'],
  }, async () => {
    const [home] = apps;
    if (home === undefined) throw new Error('No server');
    const { files } = await depsOf(home);
    const right = await files.readLabel();
    await files.writeLabel(JSON.stringify({ id: 'another one', sweeps: 0 }));
    await nights(home, NIGHTS);
    await expectRealBackup();
    expect(await readdir(join(folder, 'earlier'))).toHaveLength(NIGHTS);
    await files.writeLabel(right ?? '');
    await nights(home, 1);
    expect(await readdir(join(folder, 'earlier'))).toHaveLength(7);
  });
});
