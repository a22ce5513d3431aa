import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { backupSourceOf, restoreInto } from '../../../../tests/support/backups.ts';
import { describeOnSqlite } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials } from '../../../../tests/support/test-storage.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { type BackupSource, backUp } from './backup.ts';
import { stampOf } from './backup-folder.ts';
import { thinBackups } from './thin-backups.ts';
import { verifyBackup } from './verify-backup.ts';

describeOnSqlite('a photograph that changed before its backup', (engine) => {
  let app: TestApp | null = null;
  let ada: Partner;
  let source: BackupSource;
  let folder: string;
  let name: string;
  let original: Buffer;

  beforeEach(async () => {
    if (app === null) {
      app = await startTestApp(engine);
      ({ ada } = await registerCouple(app));
      source = await backupSourceOf(app);
    }
    setS3Credentials(app.storage);
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-changed-'));
    const { fileName } = await addPhoto(ada, (await planDate(ada)).id, Math.floor(Math.random() * 1e6));
    name = `${ada.user.couple.id}/${fileName}`;
    original = await buffer(await source.files.read(name));
    return async () => {
      // Only the photograph of each test is damaged.
      await store(original);
      await rm(folder, { recursive: true });
    };
  });
  afterAll(() => app?.close());

  const store = (bytes: Buffer) => source.files.putBytes(name, bytes, 'image/jpeg');
  const changed = (at: number) => Buffer.from(original).fill(0xff, at, at + 20);
  const back = async () => (await backUp(source, folder)).manifest;
  /** Restores a backup, and returns what it has of the photograph. */
  const restored = async (stamp?: string) => {
    const storage = await createTestStorage(engine);
    try {
      await restoreInto(storage, folder, stamp);
      const files = await openFiles(readConfig(storage.env));
      return await files.read(name).then(buffer, () => null);
    } finally {
      await storage.remove();
      if (app !== null) setS3Credentials(app.storage);
    }
  };

  it('is backed up as it is, reported, and restored', { tags: ['keeping.backup.12'] }, async () => {
    await store(changed(100));
    const manifest = await back();
    expect(manifest.damaged).toEqual([name]);
    expect(manifest.changed?.rows).toBe(1);
    expect((await verifyBackup(folder)).faults).toEqual([]);
    expect(await restored()).toEqual(changed(100));
  });

  it('makes the backup fail verification and restore if its copy changes again', {
    tags: ['keeping.backup.12'],
  }, async () => {
    await store(changed(100));
    const manifest = await back();
    const [copy = ''] = await readdir(join(folder, 'changed'));
    await writeFile(join(folder, 'changed', copy), 'other bytes');
    expect((await verifyBackup(folder)).faults).toEqual([`The photograph ${name} has changed since it was written.`]);
    await expect(restored(stampOf(manifest.createdAt))).rejects.toThrow('has changed since it was written');
  });

  it('replaces no good copy of an earlier backup', { tags: ['keeping.backup.12'] }, async () => {
    await back();
    await store(changed(100));
    const manifest = await back();
    expect(manifest.damaged).toEqual([]);
    expect(await readFile(join(folder, 'photos', name))).toEqual(original);
    expect(await restored()).toEqual(original);
  });

  it('is restored from each backup as that one has it', { tags: ['keeping.backup.12'] }, async () => {
    await store(changed(100));
    const first = await back();
    await store(original);
    const second = await back();
    expect(second.damaged).toEqual([]);
    expect((await verifyBackup(folder, stampOf(first.createdAt))).faults).toEqual([]);
    expect(await restored(stampOf(first.createdAt))).toEqual(changed(100));
    expect(await restored()).toEqual(original);
  });

  it('is removed from the folder with the last backup that lists it', { tags: ['keeping.backup.12'] }, async () => {
    await store(changed(100));
    await back();
    await store(original);
    const copies = () => readdir(join(folder, 'changed'));
    for (let later = 0; later < 8; later += 1) {
      expect(await copies()).toHaveLength(1);
      await back();
      expect(await thinBackups(folder)).toEqual({ reason: null, ofOthers: 0 });
    }
    expect(await copies()).toEqual([]);
    expect((await verifyBackup(folder)).faults).toEqual([]);
  });
});
