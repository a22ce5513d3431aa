import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import type { Size } from '../../rules.ts';
import { storedName } from '../names.ts';
import { knownFileNames } from '../pending-file-store.ts';

/** An image made from an original. It can always be made again. */
export type Variant = Exclude<Size, 'original'>;

/** Identifies a stored original. */
export interface Original {
  readonly coupleId: CoupleId;
  readonly fileName: string;
}

/** Makes a variant of a local original. Loads the image library on first use, as `save-photo.ts` does. */
async function makeVariant(variant: Variant, path: string): Promise<Buffer> {
  const { makePreview, makeThumbnail } = await import('./picture.ts');
  return variant === 'preview' ? makePreview(path) : makeThumbnail(path);
}

/** The server is idle after this long without an upload. Then previews are made without pauses. */
const IDLE_AFTER_MS = 250;
/**
 * While uploads arrive, background previews take this share of one core's time. A preview takes as long as three
 * uploads, so at this share fewer than one upload in twenty is slowed by one.
 */
const BACKGROUND_SHARE = 1 / 32;
/** The longest pause after a background preview: one that waited for a slow store must not hold up the others for hours. */
const MAX_PAUSE_MS = 60_000;
/** The limit of all temporary files that wait for their preview. */
const MAX_TEMPORARY_BYTES = 256 * 1024 * 1024;

/** The limit of the images that requests wait for. */
const MAX_QUEUED = 500;

/** A queued preview that no request waits for. */
interface BackgroundJob {
  readonly original: Original;
  /** A local file with the original's bytes, or null. */
  readonly temporary: string | null;
}

/**
 * Makes previews and thumbnails from originals, in the foreground for a request that waits for one, and in the background
 * after an upload. An upload's response waits for its thumbnail only: the preview takes four times as long, and can always
 * be made again.
 *
 * With S3, an upload's temporary file is kept for its preview, so that the original is not downloaded again. When the
 * previews fall behind, the file is removed, and the preview is made from the store.
 */
export class ImageProcessor {
  readonly #deps: Pick<Deps, 'db' | 'files' | 'log'>;
  /** Limits the jobs at a time, since each may hold a temporary file. */
  readonly #foreground = new PQueue({ concurrency: availableParallelism() });
  /** The jobs in progress by stored name, so that concurrent requests share one. */
  readonly #inProgress = new Map<string, Promise<void>>();
  readonly #background: BackgroundJob[] = [];
  /** The bytes of each temporary file that waits for its preview. */
  readonly #temporaries = new Map<string, number>();
  readonly #stopping = new AbortController();
  #uploads = 0;
  #lastUploadAt = Number.NEGATIVE_INFINITY;
  /** No background job starts before this time unless the server is idle. */
  #pauseUntil = 0;
  /** The running background loop, or null while it has nothing to do. */
  #loop: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'db' | 'files' | 'log'>) {
    this.#deps = deps;
  }

  /** Runs an upload. While it runs, background jobs take only their share of a core. */
  async duringUpload<T>(work: () => Promise<T>): Promise<T> {
    this.#uploads += 1;
    try {
      return await work();
    } finally {
      this.#uploads -= 1;
      this.#lastUploadAt = performance.now();
    }
  }

  /**
   * Queues a preview as a background job.
   * @param temporary a local file with the original's bytes, which is removed afterwards; null if the store is local
   */
  previewLater(original: Original & { readonly fileSizeBytes: number }, temporary: string | null): void {
    const isKept = temporary !== null && this.#keepTemporary(temporary, original.fileSizeBytes);
    if (temporary !== null && !isKept) this.#discard(temporary);
    if (this.#stopping.signal.aborted) return;
    this.#background.push({ original, temporary: isKept ? temporary : null });
    if (this.#loop !== null) return;
    this.#pauseUntil = Math.max(this.#pauseUntil, performance.now() + IDLE_AFTER_MS);
    this.#loop = this.#runBackgroundJobs();
  }

  /**
   * Makes a variant. Concurrent calls for the same one share the work.
   * @throws FileMissing if the original or its memory is gone; Refusal 503 if too many are queued
   */
  async make(original: Original, variant: Variant, temporary: string | null = null): Promise<void> {
    const name = storedName(original.coupleId, original.fileName, variant);
    const running = this.#inProgress.get(name);
    if (running === undefined && this.#foreground.size >= MAX_QUEUED) {
      throw new Refusal(503, 'Our photos are unavailable for a moment. Please try again.', { retryAfter: 5 });
    }
    const job =
      running ??
      this.#foreground.add(() => this.#make(original, variant, temporary)).finally(() => this.#inProgress.delete(name));
    this.#inProgress.set(name, job);
    return job;
  }

  /** Finishes the running jobs, and drops the queued ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#background.length = 0;
    await this.#loop;
    await this.#foreground.onIdle();
    await Promise.all([...this.#temporaries.keys()].map((path) => rm(path, { force: true })));
  }

  async #runBackgroundJobs(): Promise<void> {
    while (this.#background.length > 0) {
      await this.#waitForTurn();
      const job = this.#background.shift();
      if (!job) break;
      const startedAt = performance.now();
      await this.#runBackgroundJob(job);
      const took = performance.now() - startedAt;
      this.#pauseUntil = performance.now() + Math.min(took * (1 / BACKGROUND_SHARE - 1), MAX_PAUSE_MS);
    }
    this.#loop = null;
  }

  /** Waits until the server is idle, or the background share allows another job. */
  async #waitForTurn(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const now = performance.now();
      const idleAt = this.#uploads > 0 ? Number.POSITIVE_INFINITY : this.#lastUploadAt + IDLE_AFTER_MS;
      const waitMs = Math.min(idleAt, this.#pauseUntil) - now;
      if (waitMs <= 0) return;
      // Check again soon, since an upload may end earlier.
      await sleep(Math.min(waitMs, IDLE_AFTER_MS), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #runBackgroundJob({ original, temporary }: BackgroundJob): Promise<void> {
    try {
      const made = await this.#deps.files.size(storedName(original.coupleId, original.fileName, 'preview'));
      if (made === null) await this.make(original, 'preview', temporary);
    } catch (error) {
      // The first request for the preview will make it.
      this.#deps.log.warn({ err: error }, 'a preview could not be made in the background');
    }
    if (temporary !== null) this.#discard(temporary);
  }

  async #make(original: Original, variant: Variant, temporary: string | null): Promise<void> {
    const { files } = this.#deps;
    const { coupleId, fileName } = original;
    const source = storedName(coupleId, fileName, 'original');
    const target = storedName(coupleId, fileName, variant);
    const make = (path: string) => makeVariant(variant, path);
    const bytes = temporary === null ? await files.withLocal(source, make) : await make(temporary);
    if (!(await this.#hasRow(original))) throw new FileMissing(source);
    await files.putBytes(target, bytes, 'image/webp');
    // A deletion removes the row before the files. If the row still exists, a later deletion removes this file too. If
    // it is gone, this file must be removed here.
    let isNeeded = false;
    try {
      isNeeded = await this.#hasRow(original);
    } finally {
      // If the database does not answer, the file is removed too. It can be made again.
      if (!isNeeded) await files.remove(target);
    }
  }

  /** Whether a memory, shown or in the trash, has this original. */
  async #hasRow({ coupleId, fileName }: Original): Promise<boolean> {
    return (await knownFileNames(this.#deps.db.read, coupleId, [fileName])).size > 0;
  }

  /** Takes over a temporary file until its preview is made. @returns false if there is no room for it */
  #keepTemporary(temporary: string, bytes: number): boolean {
    const used = [...this.#temporaries.values()].reduce((sum, one) => sum + one, 0);
    if (this.#stopping.signal.aborted || used + bytes > MAX_TEMPORARY_BYTES) return false;
    this.#temporaries.set(temporary, bytes);
    return true;
  }

  #discard(temporary: string): void {
    this.#temporaries.delete(temporary);
    rm(temporary, { force: true }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'a temporary file is left to the sweep');
    });
  }
}
