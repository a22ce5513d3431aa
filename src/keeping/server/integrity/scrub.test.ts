import { mkdir, mkdtemp, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { badSector } from '../../../../tests/support/bad-sector.ts';
import { describeOnBoth, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { HOUR } from '../../../base/durations.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Memory } from '../../../memories/contract.ts';
import { backUpNightly } from '../backup/nightly-backup.ts';
import { readFigures } from './integrity-figures.ts';
import { scrubAll, scrubNextBatch } from './scrub.ts';

const goOn = () => false;

describeOnBoth('a scrub', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let deps: Deps;
  let folder: string;
  let dateId: string;
  /** The offset of the server's clock in milliseconds. */
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const keeping = async (who = us.ben) => (await who.call('GET /api/keeping')).body;
  const nameOf = ({ fileName }: Memory) => `${us.ada.user.couple.id}/${fileName}`;
  /** Overwrites a photograph in the store, like a failing disk. */
  const damage = async (memory: Memory) => {
    const bytes = Buffer.concat(await Array.fromAsync(await deps.files.read(nameOf(memory))));
    bytes[100] = (bytes[100] ?? 0) ^ 4;
    await deps.files.putBytes(nameOf(memory), bytes, 'image/jpeg');
  };

  beforeAll(async () => {
    app = await startTestApp(engine, { now });
    us = await registerCouple(app);
    dateId = (await planDate(us.ada)).id;
  });
  beforeEach(async () => {
    // Past the lease of the server's own first scrub, and the hour until the next one.
    ahead += 2 * HOUR;
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-nightly-'));
    const plain = await depsOf(app, now);
    deps = { ...plain, config: { ...plain.config, backupDir: folder } };
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(() => app.close());

  let memory: Memory;
  beforeEach(async () => {
    memory = await addPhoto(us.ada, dateId, Math.round(ahead / HOUR) + 100, 'that evening');
    await scrubAll(deps, () => undefined);
    ahead += 2 * HOUR;
  });
  /** The dependencies with a store that fails while it reads a photograph, until that is stored again. */
  const withBadSector = (memory: Memory): Deps => {
    const { files } = deps;
    let isBad = true;
    const read: Deps['files']['read'] = async (name, range) =>
      isBad && name === nameOf(memory) ? badSector() : files.read(name, range);
    const put: Deps['files']['put'] = async (name, ...args) => {
      if (name === nameOf(memory)) isBad = false;
      return files.put(name, ...args);
    };
    return { ...deps, files: { ...files, read, put } };
  };
  const scrubHours = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await scrubNextBatch(deps, goOn);
      ahead += HOUR;
    }
  };

  it('finds one flipped bit, shows it to the couple, and clears it once repaired', {
    tags: ['keeping.integrity.1'],
  }, async () => {
    const right = Buffer.concat(await Array.fromAsync(await deps.files.read(nameOf(memory))));
    await damage(memory);
    await scrubHours(10);
    const { scrub } = await keeping();
    expect(scrub.damaged).toMatchObject([
      { id: memory.id, plannedDateId: dateId, title: 'that evening', kind: 'changed' },
    ]);
    expect(scrub.doneAt).not.toBeNull();
    // Other couples don't see it.
    const { ada: eve } = await registerCouple(app);
    expect((await keeping(eve)).scrub.damaged).toEqual([]);
    await deps.files.putBytes(nameOf(memory), right, 'image/jpeg');
    await scrubHours(10);
    expect((await keeping()).scrub.damaged).toEqual([]);
  });

  it('finds a lost photograph, and counts it until it is deleted for good', {
    tags: ['keeping.integrity.1', 'keeping.integrity.3'],
  }, async () => {
    await deps.files.remove(nameOf(memory));
    await scrubHours(10);
    expect((await keeping()).scrub.damaged).toMatchObject([{ id: memory.id, kind: 'lost' }]);
    expect((await readFigures(app.db.read)).damaged).toBe(1);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
    expect((await keeping()).scrub.damaged).toEqual([]);
    expect((await readFigures(app.db.read)).damaged).toBe(0);
  });

  it('finds an unreadable photograph, and checks those after it', { tags: ['keeping.integrity.1'] }, async () => {
    const next = await addPhoto(us.ada, dateId, Math.round(ahead / HOUR) + 1_000);
    await damage(next);
    deps = withBadSector(memory);
    await scrubHours(10);
    expect((await keeping()).scrub.damaged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: memory.id, kind: 'lost' }),
        expect.objectContaining({ id: next.id, kind: 'changed' }),
      ]),
    );
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id: next.id } });
    await us.ada.call('DELETE /api/Trash/{id}', { params: { id: next.id } });
  });

  // A bucket has no folders.
  it.each(engine === sqliteAndDisk ? [engine.name] : [])(
    'goes on after a photograph that cannot be restored',
    { tags: ['keeping.integrity.2'] },
    async () => {
      const next = await addPhoto(us.ada, dateId, Math.round(ahead / HOUR) + 2_000);
      ahead += 48 * HOUR;
      expect(await backUpNightly(deps, goOn)).toBe(true);
      await damage(next);
      // A broken file system, or a mistake, leaves a folder in the place of the file.
      const place = join(app.storage.env.DATA_DIR ?? '', 'photos', nameOf(memory));
      await rm(place);
      await mkdir(place);
      const found: string[] = [];
      const scrub = () => scrubAll(deps, ({ id }, finding) => found.push(`${id} ${finding}`));
      await scrub();
      await rmdir(place);
      await scrub();
      expect(found).toEqual([`${memory.id} lost`, `${next.id} repaired`, `${memory.id} repaired`]);
      await us.ada.call('DELETE /api/Memories/{id}', { params: { id: next.id } });
      await us.ada.call('DELETE /api/Trash/{id}', { params: { id: next.id } });
    },
  );

  it('restores an unreadable photograph from the backup', async () => {
    ahead += 48 * HOUR;
    expect(await backUpNightly(deps, goOn)).toBe(true);
    const found: string[] = [];
    await scrubAll(withBadSector(memory), ({ id }, finding) => found.push(`${id} ${finding}`));
    expect(found).toEqual([`${memory.id} repaired`]);
  });

  it('restores a damaged photograph from the backup', { tags: ['keeping.integrity.1'] }, async () => {
    ahead += 48 * HOUR;
    expect(await backUpNightly(deps, goOn)).toBe(true);
    await damage(memory);
    const found: string[] = [];
    await scrubAll(deps, ({ id }, finding) => found.push(`${id} ${finding}`));
    expect(found).toEqual([`${memory.id} repaired`]);
    const bytes = Buffer.concat(await Array.fromAsync(await deps.files.read(nameOf(memory))));
    const backup = await readFile(join(folder, 'photos', nameOf(memory)));
    expect(bytes.equals(backup)).toBe(true);
    expect((await keeping()).scrub.damaged).toEqual([]);
  });

  it('leaves no file of a damaged photograph that is purged during the repair', {
    tags: ['keeping.integrity.1'],
  }, async () => {
    ahead += 48 * HOUR;
    expect(await backUpNightly(deps, goOn)).toBe(true);
    await damage(memory);
    const put: Deps['files']['put'] = async (...args) => {
      await us.ada.call('DELETE /api/Memories/{id}', { params: { id: memory.id } });
      const erased = await us.ada.call('DELETE /api/Trash/{id}', { params: { id: memory.id } });
      expect(erased.status).toBe(204);
      return deps.files.put(...args);
    };
    const found: string[] = [];
    await scrubAll({ ...deps, files: { ...deps.files, put } }, ({ id }, finding) => found.push(`${id} ${finding}`));
    expect(found).toEqual([]);
    expect(await deps.files.size(nameOf(memory))).toBeNull();
  });
});
