import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import type { Size } from '../../rules.ts';
import { removeFiles } from '../file-remover.ts';
import { knownFileNames, removeOwnPendingFile, setPendingFile } from '../pending-file-store.ts';
import { partsOf, storedName } from '../stored-names.ts';

/** An image made from an original. It can always be made again. */
export type Variant = Exclude<Size, 'original'>;

/** Identifies a stored original. */
export interface Original {
  readonly coupleId: CoupleId;
  readonly fileName: string;
}

/** Makes a variant of a local original. Loads the image library on first use, as `store-photo-files.ts` does. */
async function makeVariant(variant: Variant, path: string): Promise<Buffer> {
  const { makePreview, makeThumbnail } = await import('./make-photo-variants.ts');
  return variant === 'preview' ? makePreview(path) : makeThumbnail(path);
}

/** The limit of the images that requests wait for. */
const MAX_QUEUED = 500;

/**
 * Makes previews and thumbnails from originals: for requests that wait for one, and the previews of new photographs. An
 * upload's response waits for its thumbnail only: the preview takes four times as long, and can always be made again.
 */
export class PreviewMaker {
  readonly #deps: Pick<Deps, 'db' | 'files' | 'log' | 'now'>;
  /** What requests wait for. It limits the jobs at a time, since each may hold a temporary file. */
  readonly #waitedFor = new PQueue({ concurrency: availableParallelism() });
  /** The previews of new photographs: one at a time, so that the other cores are left to uploads and requests. */
  readonly #later = new PQueue({ concurrency: 1 });
  /** The jobs that are running or waited for, by stored name, so that concurrent requests share one. */
  readonly #inProgress = new Map<string, Promise<void>>();
  #isStopping = false;

  constructor(deps: Pick<Deps, 'db' | 'files' | 'log' | 'now'>) {
    this.#deps = deps;
  }

  /** Makes a preview after those of the photographs that were uploaded before. */
  previewLater(original: Original): void {
    void this.#later.add(() => this.#previewNow(original));
  }

  /**
   * Makes a variant. Concurrent calls for the same one share the work.
   * @throws FileMissing if the original or its memory is gone; Refusal 503 if too many are queued
   */
  async make(original: Original, variant: Variant): Promise<void> {
    const name = storedName(original.coupleId, original.fileName, variant);
    const running = this.#inProgress.get(name);
    if (running !== undefined) return running;
    if (this.#waitedFor.size >= MAX_QUEUED) {
      throw new Refusal(503, 'Our photos are unavailable for a moment. Please try again.', { retryAfter: 5 });
    }
    return this.#share(
      name,
      this.#waitedFor.add(() => this.#make(original, variant)),
    );
  }

  /** Finishes the jobs that requests wait for, and drops the others. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#waitedFor.onIdle(), this.#later.onIdle()]);
  }

  async #previewNow(original: Original): Promise<void> {
    const name = storedName(original.coupleId, original.fileName, 'preview');
    if (this.#isStopping || this.#inProgress.has(name)) return;
    try {
      if ((await this.#deps.files.size(name)) === null) await this.#share(name, this.#make(original, 'preview'));
    } catch (error) {
      // The first request for the preview will make it.
      this.#deps.log.warn({ err: error }, 'a preview could not be made in the background');
    }
  }

  #share(name: string, job: Promise<void>): Promise<void> {
    const shared = job.finally(() => this.#inProgress.delete(name));
    this.#inProgress.set(name, shared);
    return shared;
  }

  async #make(original: Original, variant: Variant): Promise<void> {
    const { db, files, now } = this.#deps;
    const { coupleId, fileName } = original;
    const source = storedName(coupleId, fileName, 'original');
    const target = storedName(coupleId, fileName, variant);
    const bytes = await files.withLocal(source, (path) => makeVariant(variant, path));
    const pending = { name: partsOf(target).fileName, createdAt: now() };
    await db.write(async (tx) => {
      if (!(await hasRow(tx, original))) throw new FileMissing(source);
      await setPendingFile(tx, coupleId, pending);
    });
    await files.putBytes(target, bytes, 'image/webp');
    // A deletion removes the memory's row before its files. If the row still exists, a later deletion removes this file
    // too. If it is gone, this file must be removed here.
    const isNeeded = await db.write(async (tx) => {
      if (!(await hasRow(tx, original))) return false;
      await removeOwnPendingFile(tx, coupleId, { stem: pending.name, createdAt: pending.createdAt });
      return true;
    });
    if (!isNeeded) await removeFiles(this.#deps, coupleId, pending.name);
  }
}

/** Whether a memory, shown or in the trash, has this original. */
async function hasRow(reader: Reader, { coupleId, fileName }: Original): Promise<boolean> {
  return (await knownFileNames(reader, coupleId, [fileName])).size > 0;
}
