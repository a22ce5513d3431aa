import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backupSourceOf, restoreInto } from '../../../../tests/support/backups.ts';
import { badSector } from '../../../../tests/support/bad-sector.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { contentsOfFolder } from '../../../../tests/support/contents-of-folder.ts';
import { describeOnBoth, type Engine } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { readWholeStory, withoutTrashTimes } from '../../../../tests/support/read-whole-story.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { createSampleStory } from '../../../../tests/support/sample-story.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { untilSwept } from '../../../../tests/support/until-swept.ts';
import { DAY } from '../../../base/durations.ts';
import { lastMigration } from '../../../base/server/db/migrate.ts';
import { openWithoutMigrating } from '../../../base/server/db/open.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { type BackupSource, backUp } from './backup.ts';
import { thinBackups } from './thin-backups.ts';
import { verifyBackup } from './verify-backup.ts';

const FILE_LOCK = pathToFileURL(join(import.meta.dirname, '../../../base/server/process/file-lock.ts')).href;

describeOnBoth('a backup', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let source: BackupSource;
  /** The backup of the story as it was before the tests. */
  let first: Awaited<ReturnType<typeof backUp>>;
  /** Has a backup of the story as it is. */
  let folder: string;
  let dateId: string;
  const storages: TestStorage[] = [];
  const freshStorage = async (on: Engine) => {
    const storage = await createTestStorage(on);
    storages.push(storage);
    return storage;
  };
  const newFolder = () => mkdtemp(join(tmpdir(), 'our-love-story-backup-'));
  const photoPaths = async () => [...(await contentsOfFolder(join(folder, 'photos'))).keys()].toSorted();
  const manifestText = () => readFile(join(folder, 'manifest.json'), 'utf8');

  beforeAll(async () => {
    app = await startTestApp(engine);
    us = await registerCouple(app);
    dateId = await createSampleStory(us.ada, us.ben);
    source = await backupSourceOf(app);
    folder = await newFolder();
    first = await backUp(source, folder);
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    folder = await newFolder();
    await backUp(source, folder);
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(async () => {
    await app.close();
    for (const storage of storages) await storage.remove();
  });

  it('is made while the app runs, and passes verification', {
    tags: ['keeping.backup.1', 'keeping.backup.3', 'keeping.backup.4'],
  }, async () => {
    const { manifest, copied } = first;
    expect(copied).toBe(3);
    expect(manifest.photographs.rows).toBe(3);
    expect(Object.fromEntries(manifest.tables.map(({ table, rows }) => [table, rows]))).toMatchObject({
      couples: 1,
      users: 2,
      ideas: 3,
      dates: 3,
      memories: 3,
    });
    expect((await verifyBackup(folder)).faults).toEqual([]);
  });

  it('holds no sessions, codes or attempt counts, so that a restore revives nothing that has ended', async () => {
    const text = [...(await contentsOfFolder(join(folder, 'tables'))).values()]
      .map((base64) => Buffer.from(base64, 'base64').toString())
      .join('');
    expect(text).toContain('you, asleep');
    const { tokenHash } = await app.db.read.selectFrom('sessions').select('tokenHash').executeTakeFirstOrThrow();
    expect(text).not.toContain(tokenHash);
    expect(await manifestText()).not.toMatch(/"(sessions|codes|tries)"/);
  });

  describeOnBoth('is restored', { tags: ['keeping.backup.2'] }, (target) => {
    it('completely', { tags: ['keeping.backup.3', 'notes.8'] }, async () => {
      const before = await readWholeStory(app.url, us.ada);
      const storage = await freshStorage(target);
      await restoreInto(storage, folder);
      const other = await startTestApp(target, { storage });
      expect(withoutTrashTimes(await readWholeStory(other.url, us.ada))).toEqual(withoutTrashTimes(before));
      // Sessions aren't restored.
      expect((await new Caller(other.url, us.ada.token).call('GET /api/auth/session')).status).toBe(401);
      await other.close();
      setS3Credentials(app.storage);
    });
  });

  it('is restored only into an empty database and store', { tags: ['keeping.backup.2'] }, async () => {
    const storage = await freshStorage(engine);
    await restoreInto(storage, folder);
    await expect(restoreInto(storage, folder)).rejects.toThrow('This database already has data');
    await expect(restoreInto(app.storage, folder)).rejects.toThrow('This database already has data');
  });

  it('copies no photograph twice, and replaces a copy that has changed', async () => {
    const [first = '', second = ''] = await photoPaths();
    const right = await readFile(first);
    await writeFile(first, Buffer.from(right).fill(0, 20, 30));
    const old = new Date('2001-01-01');
    await utimes(second, old, old);
    expect((await backUp(source, folder)).copied).toBe(1);
    expect(await readFile(first)).toEqual(right);
    const [, untouched] = await Promise.all([verifyBackup(folder), readFile(second)]);
    expect(untouched.length).toBeGreaterThan(0);
  });

  it('replaces a copy that cannot be read', { tags: ['keeping.backup.1'] }, async () => {
    const [first = ''] = await photoPaths();
    const right = await readFile(first);
    await rm(first);
    await symlink(first, first);
    expect((await backUp(source, folder)).copied).toBe(1);
    expect(await readFile(first)).toEqual(right);
  });

  it('that fails leaves the previous one untouched', { tags: ['keeping.backup.1'] }, async () => {
    const before = await contentsOfFolder(folder);
    await addPhoto(us.ada, dateId, 11);
    await addPhoto(us.ada, dateId, 12);
    let reads = 0;
    const failing: Files = {
      ...source.files,
      read: (name) => {
        reads += 1;
        return reads === 2 ? Promise.reject(new Error('the store is away')) : source.files.read(name);
      },
    };
    await expect(backUp({ ...source, files: failing }, folder)).rejects.toThrow('the store is away');
    const after = await contentsOfFolder(folder);
    for (const [path, bytes] of before) expect(after.get(path)).toBe(bytes);
    expect((await verifyBackup(folder)).faults).toEqual([]);
    // The next backup continues where it stopped.
    expect((await backUp(source, folder)).copied).toBe(1);
    expect((await verifyBackup(folder)).faults).toEqual([]);
  });

  it('is the only one into its folder, also if the process of another one was killed', {
    tags: ['keeping.backup.6'],
  }, async () => {
    const busy: Files = {
      ...source.files,
      read: async (name) => {
        await expect(backUp(source, folder)).rejects.toThrow('Another backup into this folder is running.');
        return source.files.read(name);
      },
    };
    const memory = await addPhoto(us.ada, dateId, 13);
    expect((await backUp({ ...source, files: busy }, folder)).copied).toBe(1);
    const program = `
      const { lockFile } = await import(${JSON.stringify(FILE_LOCK)});
      lockFile(${JSON.stringify(join(folder, 'backup.lock'))});
      process.kill(process.pid, 'SIGKILL');`;
    const killed = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    await once(killed, 'exit');
    expect((await backUp(source, folder)).copied).toBe(0);
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
  });

  it('is a snapshot: what is written while it runs is in the next one', { tags: ['keeping.backup.1'] }, async () => {
    const busy: BackupSource = {
      ...source,
      db: {
        ...source.db,
        snapshot: (work) =>
          source.db.snapshot(async (reader) => {
            // The first query fixes the snapshot; then the couple continues to write.
            await reader.selectFrom('couples').select('id').execute();
            await addPhoto(us.ben, (await planDate(us.ben, { idea: { title: 'Meanwhile' } })).id, 21);
            return work(reader);
          }),
      },
    };
    const { manifest } = await backUp(busy, folder);
    const { faults } = await verifyBackup(folder);
    expect(faults).toEqual([]);
    const next = await backUp(source, folder);
    const rows = (of: typeof manifest, table: string) => of.tables.find((one) => one.table === table)?.rows ?? 0;
    expect(rows(next.manifest, 'ideas') - rows(manifest, 'ideas')).toBe(1);
    expect(next.manifest.photographs.rows - manifest.photographs.rows).toBe(1);
  });

  it('starts over if a photograph is purged while it runs', async () => {
    const memory = await addPhoto(us.ada, dateId, 31);
    let erased = false;
    const racing: Files = {
      ...source.files,
      read: async (name) => {
        if (!erased && name.includes(memory.fileName)) {
          erased = true;
          await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
          await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
          await expect.poll(() => source.files.size(name)).toBeNull();
        }
        return source.files.read(name);
      },
    };
    const { manifest } = await backUp({ ...source, files: racing }, folder);
    expect(erased).toBe(true);
    expect(manifest.damaged).toEqual([]);
    expect((await verifyBackup(folder)).faults).toEqual([]);
  });

  it('lists a photograph that the store has lost, and is made without it', async () => {
    const memory = await addPhoto(us.ada, dateId, 41);
    const name = `${us.ada.user.couple.id}/${memory.fileName}`;
    await source.files.remove(name);
    expect((await backUp(source, folder)).manifest.damaged).toEqual([name]);
    expect((await verifyBackup(folder)).faults).toEqual([]);
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
  });

  it('lists a photograph that the store cannot read, and copies the others', {
    tags: ['keeping.backup.1'],
  }, async () => {
    const [unreadable, readable] = [await addPhoto(us.ada, dateId, 42), await addPhoto(us.ada, dateId, 43)];
    const name = `${us.ada.user.couple.id}/${unreadable.fileName}`;
    const read: Files['read'] = async (wanted) => (wanted === name ? badSector() : source.files.read(wanted));
    const { manifest, copied } = await backUp({ ...source, files: { ...source.files, read } }, folder);
    expect([manifest.damaged, copied]).toEqual([[name], 1]);
    expect((await photoPaths()).some((path) => path.endsWith(readable.fileName))).toBe(true);
    // The next backup has it, if the disk can read it again.
    expect((await backUp(source, folder)).manifest.damaged).toEqual([]);
  });

  it('keeps the last seven before it, each restorable, and removes files that none refers to', async () => {
    const next = async () => {
      await backUp(source, folder);
      expect(await thinBackups(folder)).toEqual({ reason: null, ofOthers: 0 });
    };
    const memory = await addPhoto(us.ada, dateId, 51, 'gone a week later');
    await next();
    const stamp = (JSON.parse(await manifestText()) as { createdAt: string }).createdAt.replaceAll(/[:.]/g, '-');
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
    const copies = async () => (await photoPaths()).filter((path) => path.includes(memory.fileName)).length;
    for (let backups = 0; backups < 7; backups += 1) await next();
    expect(await copies()).toBe(1);
    const storage = await freshStorage(engine);
    await restoreInto(storage, folder, stamp);
    const other = await startTestApp(engine, { storage });
    expect(JSON.stringify(await readWholeStory(other.url, us.ben))).toContain('gone a week later');
    await other.close();
    setS3Credentials(app.storage);
    await next();
    expect(await copies()).toBe(0);
    expect(await readdir(join(folder, 'earlier'))).toHaveLength(7);
    expect(await readdir(join(folder, 'tables'))).toHaveLength(8);
  });

  it('leaves what was in its trash there for another thirty days when it is restored', {
    tags: ['durability.store.7'],
  }, async () => {
    const { id } = await addPhoto(us.ada, dateId, 90, 'what the restore is for');
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id } });
    const deletedAt = Date.now() - 29 * DAY;
    await app.db.write((tx) => tx.updateTable('memories').set({ deletedAt }).where('id', '=', id).execute());
    await backUp(source, folder);
    const storage = await freshStorage(engine);
    await restoreInto(storage, folder);
    const other = await startTestApp(engine, { storage, now: () => Date.now() + 29 * DAY });
    await untilSwept(other);
    const { body } = await new Caller(other.url).call('POST /api/auth/login', {
      body: { email: us.ada.email, password: us.ada.password },
    });
    const again = new Caller(other.url, body.token);
    expect((await again.call('GET /api/Trash')).body.map((entry) => entry.id)).toContain(id);
    expect((await again.call('POST /api/Trash/{id}/restore', { params: { id } })).status).toBe(200);
    await other.close();
    setS3Credentials(app.storage);
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id } });
  });

  describe('that was damaged', () => {
    let spoilt: string;
    const spoil = async (change: (folder: string) => Promise<void>) => {
      spoilt = await mkdtemp(join(tmpdir(), 'our-love-story-spoilt-'));
      await cp(folder, spoilt, { recursive: true });
      await change(spoilt);
    };
    const flip = async (path: string) => {
      const bytes = await readFile(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(path, bytes);
    };
    const listed = async () =>
      JSON.parse(await manifestText()) as { tables: { table: string; file: string }[]; photographs: { file: string } };
    const aPhotograph = async (root: string) => [...(await contentsOfFolder(join(root, 'photos'))).keys()][0] ?? '';

    it.each([
      [
        'one bit of a photograph',
        async (root: string) => flip(await aPhotograph(root)),
        /photograph .* has changed since/,
      ],
      ['a photograph that is gone', async (root: string) => rm(await aPhotograph(root)), /photograph .* is missing/],
      [
        'one bit of a table',
        async (root: string) =>
          flip(join(root, (await listed()).tables.find(({ table }) => table === 'dates')?.file ?? '')),
        /dates\.jsonl has changed since/,
      ],
      [
        'a table that is gone',
        async (root: string) => rm(join(root, (await listed()).tables[0]?.file ?? '')),
        /is missing/,
      ],
    ])("fails verification and isn't restored: %s", { tags: ['keeping.backup.4'] }, async (_what, change, fault) => {
      await spoil(change);
      const { faults } = await verifyBackup(spoilt);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(fault);
      const storage = await freshStorage(engine);
      await expect(restoreInto(storage, spoilt)).rejects.toThrow(/photos|photograph|tables/);
      const found = openWithoutMigrating(readConfig(storage.env));
      // The tables may exist, but they are empty.
      const users =
        (await lastMigration(found.migrate)) === null
          ? []
          : await found.db.read.selectFrom('users').selectAll().execute();
      await found.db.close();
      expect(users).toEqual([]);
      await rm(spoilt, { recursive: true });
    });

    it('is reported if it has no manifest', async () => {
      await spoil((root) => rm(join(root, 'manifest.json')));
      await expect(verifyBackup(spoilt)).rejects.toThrow('There is no finished backup');
      await rm(spoilt, { recursive: true });
    });
  });
});
