import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Size } from '../rules.ts';
import { storedName } from './names.ts';
import { type Judged, judgePicture, makePreview, makeThumbnail } from './picture.ts';

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

/** So long nobody uploads before previews are made that nobody has asked for. */
const QUIET_MS = 1_000;

/**
 * Where pictures are worked on, off the event loop: as many at once as there are cores, the others wait, so that a
 * hundred photographs coming in take neither the memory nor the quickness of the rest. An upload is answered when its
 * thumbnail is there; its preview takes four times as long, and is made in the first quiet moment, or when it is asked
 * for. (It is not part of what 201 promises: it can always be made again from the original.)
 */
export class Workshop {
  readonly #deps: Pick<Deps, 'files' | 'log'>;
  readonly #hands = new PQueue({ concurrency: availableParallelism() });
  readonly #spare = new PQueue({ concurrency: 1 });
  readonly #making = new Map<string, Promise<void>>();
  readonly #temporaries = new Set<string>();
  #uploads = 0;
  #stopped = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(deps: Pick<Deps, 'files' | 'log'>) {
    this.#deps = deps;
  }

  judge(...photograph: Parameters<typeof judgePicture>): Promise<Judged> {
    return this.#hands.add(() => judgePicture(...photograph), { priority: 1 });
  }

  /** While this runs, nothing is made that nobody waits for. */
  async duringUpload<T>(work: () => Promise<T>): Promise<T> {
    this.#uploads += 1;
    this.#spare.pause();
    clearTimeout(this.#quiet);
    try {
      return await work();
    } finally {
      this.#uploads -= 1;
      if (this.#uploads === 0 && !this.#stopped) this.#quiet = setTimeout(() => this.#spare.start(), QUIET_MS).unref();
    }
  }

  /**
   * Makes a preview when there is time.
   * @param temporary a local file with the same bytes, which is removed afterwards; null where the store itself is local
   */
  previewLater(original: Original, temporary: string | null): void {
    if (temporary !== null) this.#temporaries.add(temporary);
    const make = async () => {
      const made = await this.#deps.files.size(storedName(original.coupleId, original.fileName, 'preview'));
      if (made === null) await this.make(original, 'preview', temporary);
    };
    const later = async () => {
      try {
        if (!this.#stopped) await this.#spare.add(make);
      } catch (error) {
        // Whoever asks for the preview will have it made then.
        if (!this.#stopped) this.#deps.log.warn({ err: error }, 'a preview could not be made ahead of time');
      }
      await this.#discard(temporary);
    };
    later().catch((error: unknown) => this.#deps.log.warn({ err: error }, 'a temporary file is left to the sweep'));
  }

  /**
   * Makes a variant; whoever asks meanwhile waits for the same one.
   * @throws FileMissing where the original is gone
   */
  make(original: Original, variant: Variant, temporary: string | null = null): Promise<void> {
    const name = storedName(original.coupleId, original.fileName, variant);
    const making =
      this.#making.get(name) ??
      this.#hands.add(() => this.#make(original, variant, temporary)).finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  /** Finishes what is under way, and lets the rest be. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#quiet);
    this.#spare.pause();
    this.#spare.clear();
    await Promise.all([this.#spare.onPendingZero(), this.#hands.onIdle()]);
    await Promise.all([...this.#temporaries].map((path) => this.#discard(path)));
  }

  async #make({ coupleId, fileName }: Original, variant: Variant, temporary: string | null): Promise<void> {
    const { files } = this.#deps;
    const source = storedName(coupleId, fileName, 'original');
    const target = storedName(coupleId, fileName, variant);
    const bytes =
      temporary === null ? await files.withLocal(source, MAKERS[variant]) : await MAKERS[variant](temporary);
    await files.putBytes(target, bytes, 'image/webp');
    // The photograph may have been deleted for good meanwhile: then nobody would ever remove this.
    if ((await files.size(source)) === null) await files.remove(target);
  }

  async #discard(temporary: string | null): Promise<void> {
    if (temporary === null) return;
    this.#temporaries.delete(temporary);
    await rm(temporary, { force: true });
  }
}
