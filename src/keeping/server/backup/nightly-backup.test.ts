import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { canMount, openSmallDisk } from '../../../../tests/support/small-disk.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { DAY, HOUR } from '../../../base/durations.ts';
import { latestMigration } from '../../../base/server/db/migrations/index.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { saveScheduledJob, takeJobLease } from '../../../base/server/jobs/job-store.ts';
import { type FileLock, lockFile } from '../../../base/server/process/file-lock.ts';
import type { Manifest } from '../../manifest.ts';
import { backUp } from './backup.ts';
import { backUpNightly } from './nightly-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const goOn = () => false;

describeOnSqlite('nightly backups', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let deps: Deps;
  let folder: string;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const newest = async () => JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const newestStamp = async () => (await newest()).createdAt.replaceAll(/[:.]/g, '-');
  const earlier = () => readdir(join(folder, 'earlier')).catch(() => []);
  const told = async () => (await us.ben.call('GET /api/keeping')).body.backup;
  const hourly = async (hours: number, isStopped = goOn) => {
    const made: boolean[] = [];
    for (let hour = 0; hour < hours; hour += 1) {
      ahead += HOUR;
      made.push(await backUpNightly(deps, isStopped));
    }
    return made.filter(Boolean).length;
  };
  const night = (isStopped = goOn) => {
    ahead += DAY + 4 * HOUR;
    return backUpNightly(deps, isStopped);
  };
  /** Damages the copied photographs whenever it is called. A backup repairs them, and a verification finds them. */
  const spoil = () => {
    const copies = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jpg'));
    for (const copy of copies) {
      const bytes = readFileSync(join(folder, copy));
      writeFileSync(join(folder, copy), bytes.fill(0, 50, 60));
    }
    return false;
  };

  beforeAll(async () => {
    app = await startTestApp(engine, { now });
    us = await registerCouple(app);
    await addPhoto(us.ada, (await planDate(us.ada)).id, 1);
  });
  beforeEach(async () => {
    ahead += 2 * HOUR;
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-nightly-'));
    const plain = await depsOf(app, now);
    deps = { ...plain, config: { ...plain.config, backupDir: folder } };
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(() => app.close());

  it('are not thinned while an earlier manifest is unreadable', { tags: ['keeping.backup.5'] }, async () => {
    expect(await night()).toBe(true);
    const first = await newestStamp();
    await mkdir(join(folder, 'earlier'), { recursive: true });
    const unreadable = join(folder, 'earlier', '2099-01-01T02-00-00-000Z.json');
    await writeFile(unreadable, 'not a manifest');
    expect(await night()).toBe(true);
    expect(await hourly(9)).toBe(0);
    expect(await earlier()).toEqual([`${first}.json`, '2099-01-01T02-00-00-000Z.json']);
    // The backup is verified, and the failed thinning is reported.
    expect(await told()).toMatchObject({ hasFailed: true, verifiedAt: (await told()).doneAt });
    for (let nights = 0; nights < 9; nights += 1) await night();
    expect(await earlier()).toContain(`${first}.json`);
    await rm(unreadable);
    await night();
    expect(await told()).toMatchObject({ hasFailed: false });
    expect(await earlier()).toHaveLength(7);
  });

  it('that fail verification are reported, made once a day, and never push out a verified one', {
    tags: ['keeping.backup.5'],
  }, async () => {
    await night();
    const verified = await newestStamp();
    const { verifiedAt } = await told();
    for (let nights = 0; nights < 9; nights += 1) {
      expect(await night(spoil)).toBe(true);
      expect(await hourly(3, spoil)).toBe(0);
      expect(await told()).toMatchObject({ hasFailed: true, verifiedAt });
    }
    expect(await earlier()).toHaveLength(9);
    expect((await newest()).verification).toMatchObject({ isWhole: false });
    expect(await earlier()).toContain(`${verified}.json`);
    await night();
    expect((await newest()).verification).toMatchObject({ isWhole: true });
    expect(await told()).toMatchObject({ hasFailed: false, verifiedAt: (await told()).doneAt });
    // The newest backup is now the newest verified one. The seven before it are kept and can be restored.
    expect(await earlier()).toHaveLength(7);
    for (const file of await earlier()) {
      expect((await verifyBackup(folder, file.replace('.json', ''))).faults).toEqual([]);
    }
    expect((await readdir(join(folder, 'tables'))).length).toBe(8);
  });

  it("whose verification can't be recorded are not made again; the verification is retried", async () => {
    let lock: FileLock | null = null;
    // Another process takes the folder once the backup is made.
    const info = () => {
      lock ??= lockFile(join(folder, 'backup.lock'));
    };
    const { log } = deps;
    deps = { ...deps, log: Object.assign(Object.create(log) as Deps['log'], { info }) };
    expect(await night()).toBe(true);
    expect(await hourly(3)).toBe(0);
    expect(await told()).toMatchObject({ hasFailed: true });
    deps = { ...deps, log };
    (lock as FileLock | null)?.release();
    expect(await hourly(1)).toBe(0);
    expect(await told()).toMatchObject({ hasFailed: false, verifiedAt: (await told()).doneAt });
    expect(await earlier()).toEqual([]);
  });

  it('that fail are tried again after an hour, and not before', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const broken = { ...deps, config: { ...deps.config, backupDir: join(folder, 'a-file') } };
    ahead += DAY + 4 * HOUR;
    expect(await backUpNightly(broken, goOn)).toBe(false);
    expect(await told()).toMatchObject({ hasFailed: true });
    expect(await backUpNightly(deps, goOn)).toBe(false);
    expect(await hourly(1)).toBe(1);
    expect(await told()).toMatchObject({ hasFailed: false });
  });

  it('are not made in the place of a disk that is not mounted, until a backup is made there by hand', {
    tags: ['keeping.backup.10'],
  }, async () => {
    await night();
    const { verifiedAt } = await told();
    // What is left of a disk: the empty folder on which it was mounted.
    await rm(folder, { recursive: true });
    await mkdir(folder);
    expect(await night()).toBe(false);
    expect(await told()).toMatchObject({ hasFailed: true, verifiedAt });
    expect(await readdir(folder)).toEqual([]);
    await backUp({ ...deps, migration: latestMigration }, folder);
    expect(await hourly(1)).toBe(1);
    expect(await told()).toMatchObject({ hasFailed: false });
  });

  it('are verified after a restart if the process was stopped before', async () => {
    let asked = 0;
    expect(
      await night(() => {
        asked += 1;
        return asked > 1;
      }),
    ).toBe(true);
    expect((await newest()).verification).toBeNull();
    expect(await backUpNightly(deps, goOn)).toBe(false);
    expect((await newest()).verification).toMatchObject({ isWhole: true });
    expect(await told()).toMatchObject({ hasFailed: false, verifiedAt: (await told()).doneAt });
  });

  it('continue after the clock was wrong', { tags: ['keeping.backup.6'] }, async () => {
    await night();
    const right = ahead;
    ahead += 70 * 365 * DAY;
    await backUpNightly(deps, goOn);
    const wrong = await newestStamp();
    // A node that died at that time left its lease.
    await deps.db.write((tx) => takeJobLease(tx, 'backup', 'other', { now: now(), until: now() + HOUR }));
    ahead = right + HOUR;
    expect(await backUpNightly(deps, goOn)).toBe(true);
    expect(await newestStamp()).not.toBe(wrong);
    for (let nights = 0; nights < 8; nights += 1) expect(await night()).toBe(true);
    expect(await earlier()).not.toContain(`${wrong}.json`);
    expect(await earlier()).toHaveLength(7);
  });

  it('continue in a folder of an older version, which recorded no verification', {
    tags: ['keeping.backup.6'],
  }, async () => {
    for (let nights = 0; nights < 9; nights += 1) {
      await night();
      const { sequence: _, verification: __, ...old } = await newest();
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(old));
    }
    expect(await earlier()).toHaveLength(7);
    await night();
    expect(await earlier()).toHaveLength(7);
    expect(await told()).toMatchObject({ hasFailed: false });
    expect((await verifyBackup(folder, (await earlier())[0]?.replace('.json', ''))).faults).toEqual([]);
  });

  it('continue beside an unreadable newest manifest, and keep it', async () => {
    await night();
    await writeFile(join(folder, 'manifest.json'), 'torn');
    expect(await night()).toBe(true);
    expect(await told()).toMatchObject({ hasFailed: true, verifiedAt: (await told()).doneAt });
    const [aside = ''] = await earlier();
    expect(await readFile(join(folder, 'earlier', aside), 'utf8')).toBe('torn');
  });

  it.runIf(canMount)(
    'leave nothing incomplete on a full disk, and earlier ones intact (where root allows)',
    { tags: ['keeping.backup.6'] },
    async () => {
      const disk = await openSmallDisk(1);
      const usual = folder;
      try {
        folder = await mkdtemp(join(disk.folder, 'backups-'));
        deps = { ...deps, config: { ...deps.config, backupDir: folder } };
        await night();
        const before = await readFile(join(folder, 'manifest.json'), 'utf8');
        await disk.fill();
        ahead += DAY + 4 * HOUR;
        expect(await hourly(3)).toBe(0);
        expect(await told()).toMatchObject({ hasFailed: true });
        expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toBe(before);
        await disk.makeRoom();
        expect((await verifyBackup(folder)).faults).toEqual([]);
        expect(await readdir(join(folder, 'tables'))).toHaveLength(1);
        expect(await hourly(1)).toBe(1);
        expect(await told()).toMatchObject({ hasFailed: false });
      } finally {
        await disk.remove();
        folder = usual;
      }
    },
  );

  it('are not written by a node that lost its lease', { tags: ['keeping.backup.6'] }, async () => {
    const take = (owner: string) =>
      deps.db.write((tx) => takeJobLease(tx, 'backup', owner, { now: now(), until: now() + HOUR }));
    expect([await take('slow'), await take('quick')]).toEqual([true, false]);
    ahead += 2 * HOUR;
    expect(await take('quick')).toBe(true);
    const save = (owner: string) => deps.db.write((tx) => saveScheduledJob(tx, 'backup', { heldUntil: 0, owner }));
    expect([await save('slow'), await save('quick')]).toEqual([false, true]);
  });
});
