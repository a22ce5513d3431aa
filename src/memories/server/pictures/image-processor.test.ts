import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/support/app.ts';
import { type Partner, registerCouple } from '../../../../tests/support/client.ts';
import { depsOf } from '../../../../tests/support/deps.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { makeJpeg } from '../../../../tests/support/images.ts';
import { planDate } from '../../../../tests/support/uploads.ts';
import { deleteCouple } from '../../../auth/server/couple/deletion-store.ts';
import { sweepDeletions } from '../../../auth/server/couple/deletion-sweep.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import { MINUTE } from '../../../base/time.ts';
import { fileNameOf, newStem, storedName } from '../names.ts';
import { insertMemory, trashMemory } from '../store.ts';
import { eraseSilently } from '../trash.ts';
import { ImageProcessor } from './image-processor.ts';

const MEGABYTE = 1024 * 1024;

describeOnBoth('the image processor', (engine) => {
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
    dateId = await planDate(ada);
  });
  afterAll(() => app.close());

  const local = async (bytes: Buffer) => {
    const path = deps.files.temporary();
    await writeFile(path, bytes);
    return path;
  };
  /** Creates a memory with its original, and a temporary file with the same bytes, like an upload to an S3 store. */
  const uploaded = async (seed: number, fileSizeBytes: number) => {
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
      fileSizeBytes,
      sha256: fileName.padEnd(64, '0').slice(0, 64),
      caption: null,
      width: 320,
      height: 240,
      thumbHash: '',
      takenAt: null,
      uploadedAt: Date.now(),
      deletedAt: null,
      deletedBy: null,
      dateDeletedAt: null,
    };
    await deps.db.write((tx) => insertMemory(tx, row));
    return { original: row, temporary: await local(bytes) };
  };
  const hasPreview = async ({ fileName }: { fileName: string }) =>
    (await deps.files.size(storedName(coupleId, fileName, 'preview'))) !== null;
  /** Starts an upload that lasts until the returned function is called. */
  const uploadWithoutEnd = (imageProcessor: ImageProcessor) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const upload = imageProcessor.duringUpload(() => promise);
    return async () => {
      resolve();
      await upload;
    };
  };

  it('makes previews even if uploads never pause', async () => {
    const imageProcessor = new ImageProcessor(deps);
    const endUpload = uploadWithoutEnd(imageProcessor);
    const photos = await Promise.all([1, 2, 3].map((seed) => uploaded(seed, MEGABYTE)));
    for (const { original, temporary } of photos) imageProcessor.previewLater(original, temporary);
    for (const [index, { original, temporary }] of photos.entries()) {
      await expect.poll(() => hasPreview(original), { timeout: 20_000 }).toBe(true);
      await expect.poll(() => existsSync(temporary)).toBe(false);
      // On a busy machine, the pause after a preview is long.
      if (index === 0) await endUpload();
    }
    await imageProcessor.stop();
  });

  it('goes on soon after a preview that waited for a slow store', async () => {
    let waited = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + waited);
    onTestFinished(() => clock.mockRestore());
    const size = async (name: string) => {
      waited += 5 * MINUTE;
      return deps.files.size(name);
    };
    const imageProcessor = new ImageProcessor({ ...deps, files: { ...deps.files, size } });
    const endUpload = uploadWithoutEnd(imageProcessor);
    const [first, second] = [await uploaded(10, MEGABYTE), await uploaded(11, MEGABYTE)];
    for (const { original, temporary } of [first, second]) imageProcessor.previewLater(original, temporary);
    await expect.poll(() => hasPreview(first.original), { timeout: 20_000 }).toBe(true);
    // The pause may begin a moment after the first preview is there. It ends within a minute of that.
    const isThereSoon = () => {
      waited += 10_000;
      return hasPreview(second.original);
    };
    await expect.poll(isThereSoon, { timeout: 20_000, interval: 500 }).toBe(true);
    await endUpload();
    await imageProcessor.stop();
  });

  it('keeps temporary files for previews up to a byte limit, and makes the others from the store', async () => {
    const imageProcessor = new ImageProcessor(deps);
    const endUpload = uploadWithoutEnd(imageProcessor);
    const [first, second, third] = await Promise.all([
      uploaded(4, 100 * MEGABYTE),
      uploaded(5, 100 * MEGABYTE),
      uploaded(6, 100 * MEGABYTE),
    ]);
    for (const { original, temporary } of [first, second, third]) imageProcessor.previewLater(original, temporary);
    await expect.poll(() => existsSync(third.temporary)).toBe(false);
    for (const { original, temporary } of [first, second]) {
      expect(existsSync(temporary) || (await hasPreview(original))).toBe(true);
    }
    await endUpload();
    for (const { original, temporary } of [first, second, third]) {
      await expect.poll(() => hasPreview(original), { timeout: 20_000 }).toBe(true);
      await expect.poll(() => existsSync(temporary)).toBe(false);
    }
    await imageProcessor.stop();
  });

  it('leaves no temporary file when it stops', async () => {
    const imageProcessor = new ImageProcessor(deps);
    const photos = await Promise.all([7, 8].map((seed) => uploaded(seed, MEGABYTE)));
    for (const { original, temporary } of photos) imageProcessor.previewLater(original, temporary);
    await imageProcessor.stop();
    expect(photos.map(({ temporary }) => existsSync(temporary))).toEqual([false, false]);
    const late = await uploaded(9, MEGABYTE);
    imageProcessor.previewLater(late.original, late.temporary);
    await expect.poll(() => existsSync(late.temporary)).toBe(false);
  });

  describe('leaves no preview behind if, while it is made,', () => {
    const filesLeft = () => Array.fromAsync(deps.files.list(coupleId));
    /** An image processor that waits before it stores a preview, like one on another node. */
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
        imageProcessor: new ImageProcessor({ ...deps, files }),
        reached: reached.promise,
        release: gate.resolve,
      };
    };

    it('its memory is permanently deleted, and the preview is stored before the original is removed', async () => {
      const { original } = await uploaded(10, MEGABYTE);
      const held = heldWorkshop();
      const making = held.imageProcessor.make(original, 'preview');
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
      const { original } = await uploaded(11, MEGABYTE);
      const held = heldWorkshop();
      const making = held.imageProcessor.make(original, 'preview');
      await held.reached;
      await deps.db.write((tx) => deleteCouple(tx, coupleId, Date.now()));
      await sweepDeletions(deps, () => false);
      expect(await filesLeft()).toEqual([]);
      held.release();
      await making;
      expect(await filesLeft()).toEqual([]);
    });

    it('the database fails before the memory can be checked', async () => {
      const { original } = await uploaded(12, MEGABYTE);
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
      const imageProcessor = new ImageProcessor({ ...deps, db, files: { ...deps.files, putBytes } });
      await expect(imageProcessor.make(original, 'preview')).rejects.toThrow('the database is away');
      expect(await hasPreview(original)).toBe(false);
    });
  });

  it('stores no preview if the memory was deleted while it was made', async () => {
    const { original } = await uploaded(13, MEGABYTE);
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
    await expect(new ImageProcessor({ ...deps, files }).make(original, 'preview')).rejects.toThrow(FileMissing);
    expect(stored).toEqual([]);
  });
});
