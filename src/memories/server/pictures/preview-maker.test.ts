import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { planDateId } from '../../../../tests/support/factories.ts';
import { makeJpeg } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { deleteCouple } from '../../../auth/server/couple/deletion-store.ts';
import { sweepDeletions } from '../../../auth/server/couple/deletion-sweep.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import { insertMemory, trashMemory } from '../store.ts';
import { fileNameOf, newStem, storedName } from '../stored-names.ts';
import { eraseSilently } from '../trash.ts';
import { PreviewMaker } from './preview-maker.ts';

describeOnBoth('the preview maker', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ada: Partner;
  let coupleId: CoupleId;
  let dateId: string;
  beforeAll(async () => {
    app = await startTestApp(engine);
    deps = await depsOf(app);
  });
  beforeEach(async () => {
    ({ ada } = await registerCouple(app));
    coupleId = ada.user.couple.id as CoupleId;
    dateId = await planDateId(ada);
  });
  afterAll(() => app.close());

  const local = async (bytes: Buffer) => {
    const path = deps.files.temporary();
    await writeFile(path, bytes);
    return path;
  };
  /** Creates a memory with its original. */
  const uploaded = async (seed: number) => {
    const bytes = await makeJpeg({ width: 320, height: 240, seed });
    const fileName = fileNameOf(newStem(), 'image/jpeg');
    await deps.files.put(storedName(coupleId, fileName, 'original'), await local(bytes), 'image/jpeg');
    const row = {
      coupleId,
      id: randomUUID(),
      dateId,
      fileName,
      originalFileName: 'us.jpg',
      fileExtension: '.jpg',
      fileSizeBytes: bytes.length,
      sha256: fileName.padEnd(64, '0').slice(0, 64),
      caption: null,
      searchText: null,
      width: 320,
      height: 240,
      thumbHash: '',
      takenAt: null,
      correctedTakenAt: null,
      updatedAt: null,
      version: 1,
      happenedAt: Date.now(),
      uploadedAt: Date.now(),
      deletedAt: null,
      deletedBy: null,
      dateDeletedAt: null,
    };
    await deps.db.write((tx) => insertMemory(tx, row));
    return row;
  };
  const hasPreview = async ({ fileName }: { fileName: string }) =>
    (await deps.files.size(storedName(coupleId, fileName, 'preview'))) !== null;
  it('makes previews in the background, and first what a request waits for', async () => {
    const made: string[] = [];
    const files: Deps['files'] = {
      ...deps.files,
      withLocal: async (name, work) => {
        made.push(name);
        return deps.files.withLocal(name, work);
      },
    };
    const previewMaker = new PreviewMaker({ ...deps, files });
    const originals = await Promise.all(Array.from({ length: 30 }, (_, seed) => uploaded(seed)));
    for (const original of originals) previewMaker.previewLater(original);
    const last = originals.at(-1) as (typeof originals)[number];
    await Promise.all([previewMaker.make(last, 'preview'), previewMaker.make(last, 'preview')]);
    expect(await hasPreview(last)).toBe(true);
    expect(made.length).toBeLessThan(originals.length);
    for (const original of originals) await expect.poll(() => hasPreview(original)).toBe(true);
    expect(made.length).toBe(originals.length);
    await previewMaker.stop();
  });

  it('drops the previews that no request waits for when it stops', { tags: ['memories.pictures.15'] }, async () => {
    const previewMaker = new PreviewMaker(deps);
    const originals = await Promise.all(Array.from({ length: 30 }, (_, seed) => uploaded(100 + seed)));
    for (const original of originals) previewMaker.previewLater(original);
    await previewMaker.stop();
    expect(await Promise.all(originals.map(hasPreview))).toContain(false);
  });

  describe('leaves no preview behind if, while it is made,', () => {
    const filesLeft = () => Array.fromAsync(deps.files.list(coupleId));
    /** A preview maker that waits before it stores a preview, like one on another node. */
    const heldWorkshop = () => {
      const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const files: Deps['files'] = {
        ...deps.files,
        putBytes: async (...args) => {
          reached.resolve();
          await gate.promise;
          await deps.files.putBytes(...args);
        },
      };
      return {
        previewMaker: new PreviewMaker({ ...deps, files }),
        reached: reached.promise,
        release: gate.resolve,
      };
    };

    it('its memory is permanently deleted, and the preview is stored before the original is removed', async () => {
      const original = await uploaded(10);
      const held = heldWorkshop();
      const making = held.previewMaker.make(original, 'preview');
      await held.reached;
      const by = ada.user.id as UserId;
      await deps.db.write((tx) => trashMemory(tx, coupleId, { id: original.id, by, now: Date.now() }));
      // The original is removed last, after the preview is stored.
      const isOriginal = (name: string) => name.endsWith(original.fileName);
      const others: Promise<void>[] = [];
      const remove = async (name: string) => {
        if (!isOriginal(name)) {
          const removed = deps.files.remove(name);
          others.push(removed);
          return removed;
        }
        // All removals start at the same time.
        await Promise.resolve();
        await Promise.all(others);
        held.release();
        await making;
        return deps.files.remove(name);
      };
      await eraseSilently({ ...deps, files: { ...deps.files, remove } }, coupleId, original.id);
      expect(await filesLeft()).toEqual([]);
    });

    it('the space is deleted, and the preview is stored after its files are removed', async () => {
      const original = await uploaded(11);
      const held = heldWorkshop();
      const making = held.previewMaker.make(original, 'preview');
      await held.reached;
      await deps.db.write((tx) => deleteCouple(tx, coupleId, Date.now()));
      await sweepDeletions(deps, () => false);
      expect(await filesLeft()).toEqual([]);
      held.release();
      await making;
      expect(await filesLeft()).toEqual([]);
    });
  });

  it('leaves a row for a preview if the database fails before the memory can be checked', {
    tags: ['memories.pictures.16'],
  }, async () => {
    const original = await uploaded(12);
    let isAway = false;
    const db = new Proxy(deps.db, {
      get: (real, name: keyof Deps['db']) => {
        if (isAway) throw new Error('the database is away');
        return real[name];
      },
    });
    const putBytes: Deps['files']['putBytes'] = async (...args) => {
      await deps.files.putBytes(...args);
      isAway = true;
    };
    const previewMaker = new PreviewMaker({ ...deps, db, files: { ...deps.files, putBytes } });
    await expect(previewMaker.make(original, 'preview')).rejects.toThrow('the database is away');
    expect(await hasPreview(original)).toBe(true);
    // The sweep removes the preview by this row if the memory is gone.
    const rows = await deps.db.read
      .selectFrom('pendingFiles')
      .select('fileName')
      .where('coupleId', '=', coupleId)
      .execute();
    expect(rows).toEqual([{ fileName: original.fileName.replace('.jpg', '.preview.webp') }]);
  });

  it('stores no preview if the memory was deleted while it was made', { tags: ['memories.pictures.16'] }, async () => {
    const original = await uploaded(13);
    const stored: string[] = [];
    const files: Deps['files'] = {
      ...deps.files,
      withLocal: async (name, work) => {
        const made = await deps.files.withLocal(name, work);
        await deps.db.write((tx) => deleteCouple(tx, coupleId, Date.now()));
        return made;
      },
      putBytes: async (name) => void stored.push(name),
    };
    await expect(new PreviewMaker({ ...deps, files }).make(original, 'preview')).rejects.toThrow(FileMissing);
    expect(stored).toEqual([]);
  });
});
