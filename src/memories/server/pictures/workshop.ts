import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import type { Size } from '../../rules.ts';
import { storedName } from '../names.ts';
import { knownFileNames } from '../pending-file-store.ts';
import { makePreview, makeThumbnail } from './picture.ts';

/** What is made of an original, and can be made again. */
export type Variant = Exclude<Size, 'original'>;

/** Who has the original, and where. */
export interface Original {
  readonly coupleId: CoupleId;
  readonly fileName: string;
}

const MAKERS: Readonly<Record<Variant, (path: string) => Promise<Buffer>>> = {
  preview: makePreview,
  thumbnail: makeThumbnail,
};

/** After so long without an upload, previews are made one after the other. */
const QUIET_MS = 1_000;
/** While uploads come in, previews that nobody has asked for take this share of one core's time. */
const SHARE = 1 / 8;
/** Temporary files that wait for their preview are kept up to this many bytes in all. */
const LENT_BYTES = 256 * 1024 * 1024;

/** A preview that nobody has asked for yet. */
interface Later {
  readonly original: Original;
  /** A local file with the same bytes; null where there is none. */
  readonly temporary: string | null;
}

/**
 * Makes thumbnails and previews from originals. An upload is answered when its thumbnail is there; its preview takes
 * four times as long, and is made later, or when somebody asks for it. (It is not part of what 201 promises: it can
 * always be made again from the original.)
 *
 * With a store that is not local, an upload's temporary file is kept for its preview, so that it need not be fetched
 * again. Where the previews fall behind, the file is given up, and the preview made from the store.
 */
export class Workshop {
  readonly #deps: Pick<Deps, 'db' | 'files' | 'log'>;
  /** Those that are fetched, made and stored at once: each may hold a temporary file. */
  readonly #makers = new PQueue({ concurrency: availableParallelism() });
  readonly #making = new Map<string, Promise<void>>();
  readonly #later: Later[] = [];
  /** The bytes of each temporary file that waits for its preview. */
  readonly #lent = new Map<string, number>();
  readonly #stopping = new AbortController();
  #uploads = 0;
  #lastUploadAt = Number.NEGATIVE_INFINITY;
  /** Until then no preview is made ahead of time, unless it is quiet. */
  #restUntil = 0;
  #working: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'db' | 'files' | 'log'>) {
    this.#deps = deps;
  }

  /** While this runs, previews made ahead of time take only their share. */
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
   * Makes a preview when there is time.
   * @param temporary a local file with the same bytes, which is removed afterwards; null where the store itself is local
   */
  previewLater(original: Original & { readonly fileSizeBytes: number }, temporary: string | null): void {
    const isKept = temporary !== null && this.#lend(temporary, original.fileSizeBytes);
    if (temporary !== null && !isKept) this.#discard(temporary);
    if (this.#stopping.signal.aborted) return;
    this.#later.push({ original, temporary: isKept ? temporary : null });
    if (this.#working !== null) return;
    this.#restUntil = Math.max(this.#restUntil, performance.now() + QUIET_MS);
    this.#working = this.#workOff();
  }

  /**
   * Makes a variant; whoever asks meanwhile waits for the same one.
   * @throws FileMissing where the original or its memory is gone
   */
  make(original: Original, variant: Variant, temporary: string | null = null): Promise<void> {
    const name = storedName(original.coupleId, original.fileName, variant);
    const making =
      this.#making.get(name) ??
      this.#makers.add(() => this.#make(original, variant, temporary)).finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  /** Finishes what is under way, and drops the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#later.length = 0;
    await this.#working;
    await this.#makers.onIdle();
    await Promise.all([...this.#lent.keys()].map((path) => rm(path, { force: true })));
  }

  async #workOff(): Promise<void> {
    while (this.#later.length > 0) {
      await this.#turn();
      const next = this.#later.shift();
      if (!next) break;
      const begin = performance.now();
      await this.#makeAhead(next);
      const took = performance.now() - begin;
      this.#restUntil = performance.now() + took * (1 / SHARE - 1);
    }
    this.#working = null;
  }

  /** Waits until it is quiet, or the share of previews allows one. */
  async #turn(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const now = performance.now();
      const quietAt = this.#uploads > 0 ? Number.POSITIVE_INFINITY : this.#lastUploadAt + QUIET_MS;
      const waitMs = Math.min(quietAt, this.#restUntil) - now;
      if (waitMs <= 0) return;
      // An upload may end before.
      await sleep(Math.min(waitMs, QUIET_MS), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #makeAhead({ original, temporary }: Later): Promise<void> {
    try {
      const made = await this.#deps.files.size(storedName(original.coupleId, original.fileName, 'preview'));
      if (made === null) await this.make(original, 'preview', temporary);
    } catch (error) {
      // Whoever asks for the preview will have it made then.
      this.#deps.log.warn({ err: error }, 'a preview could not be made ahead of time');
    }
    if (temporary !== null) this.#discard(temporary);
  }

  async #make(original: Original, variant: Variant, temporary: string | null): Promise<void> {
    const { files } = this.#deps;
    const { coupleId, fileName } = original;
    const source = storedName(coupleId, fileName, 'original');
    const target = storedName(coupleId, fileName, variant);
    const bytes =
      temporary === null ? await files.withLocal(source, MAKERS[variant]) : await MAKERS[variant](temporary);
    if (!(await this.#hasRow(original))) throw new FileMissing(source);
    await files.putBytes(target, bytes, 'image/webp');
    // The rows are deleted first and the files afterwards. So either the row is still there, and whoever deletes it
    // removes this file later, or the row is gone, and this file has to be removed here.
    let isNeeded = false;
    try {
      isNeeded = await this.#hasRow(original);
    } finally {
      // Where the database does not answer, the file is removed too: it can be made again.
      if (!isNeeded) await files.remove(target);
    }
  }

  /** Whether a memory, shown or in the trash, has this original. */
  async #hasRow({ coupleId, fileName }: Original): Promise<boolean> {
    return (await knownFileNames(this.#deps.db.read, coupleId, [fileName])).size > 0;
  }

  /** Keeps a temporary file for its preview, where there is room for it. */
  #lend(temporary: string, bytes: number): boolean {
    const lent = [...this.#lent.values()].reduce((sum, one) => sum + one, 0);
    if (this.#stopping.signal.aborted || lent + bytes > LENT_BYTES) return false;
    this.#lent.set(temporary, bytes);
    return true;
  }

  #discard(temporary: string): void {
    this.#lent.delete(temporary);
    rm(temporary, { force: true }).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'a temporary file is left to the sweep');
    });
  }
}
