import type { UploadQueue } from '../../upload-queue.ts';
import { saveDetails, saveRun, storePhoto, type UnsentPhoto } from './unsent-store.ts';
import { dropUnstored, storeShot } from './unstored-shots.ts';

/** A selected photo with its id in the queue. */
export interface SelectedPhoto {
  readonly id: string;
  readonly file: File;
  readonly captured: boolean;
}

/**
 * Stores the queue in IndexedDB: the bytes of each photo once, and its details after each change, since a phone may close
 * a page at any time. Changes during a write are batched into the next one.
 */
export class QueueSaver {
  readonly #userId: string;
  readonly #queue: () => UploadQueue;
  /** The ids of photos whose bytes are stored or being written. */
  readonly #stored = new Set<string>();
  readonly #changed = new Set<string>();
  #writing: Promise<void> | null = null;

  constructor(userId: string, queue: () => UploadQueue) {
    this.#userId = userId;
    this.#queue = queue;
  }

  /**
   * Stores new photos one at a time.
   * @param waiting the ids of photos that are not in the queue
   * @returns the ids that other stores may drop: they are stored here, or were uploaded or removed in the meantime
   */
  async saveNew(chosen: readonly SelectedPhoto[], waiting: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const safe = new Set<string>();
    for (const { id, file, captured } of chosen) {
      const said = waiting.has(id) ? this.#blank(id, captured) : this.#said(id);
      if (said === null) {
        safe.add(id);
        continue;
      }
      this.#stored.add(id);
      if (await (captured ? this.#storeShot(said, file) : storePhoto(said, file))) safe.add(id);
      else this.#stored.delete(id);
      // It was uploaded or removed in the meantime.
      if (!waiting.has(id) && this.#said(id) === null) dropUnstored([id]);
    }
    return safe;
  }

  #storeShot(photo: UnsentPhoto, file: File): Promise<boolean> {
    return storeShot(photo, file, () => {
      this.#stored.add(photo.id);
      // Its caption and its date may have changed.
      void this.saveDetails([photo.id]);
    });
  }

  /** Marks photos that were read from the store, so that their bytes are not written again. */
  found(ids: readonly string[]): void {
    for (const id of ids) this.#stored.add(id);
  }

  /** Stores the current details of these photos. Resolves when they are written. */
  saveDetails(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#changed.add(id);
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /** Stores which photos the run has, and whether it resumes when the page is opened again. */
  saveRun(goesOn: boolean): Promise<unknown> {
    const { dateId, items } = this.#queue();
    const ids = items.filter(({ state, later }) => state !== 'uploaded' && !later).map(({ id }) => id);
    return saveRun({ userId: this.#userId, dateId, goesOn, ids });
  }

  async #write(): Promise<void> {
    do {
      const said = [...this.#changed].flatMap((id) => (this.#stored.has(id) ? (this.#said(id) ?? []) : []));
      this.#changed.clear();
      await saveDetails(said);
    } while (this.#changed.size > 0);
    this.#writing = null;
  }

  /** Null if the photo was uploaded or removed in the meantime. */
  #said(id: string): UnsentPhoto | null {
    const { items, dateId } = this.#queue();
    const item = items.find((one) => one.id === id);
    if (!item || item.state === 'uploaded') return null;
    const { captured, caption, ownDateId, attempt } = item;
    return { id, userId: this.#userId, captured, caption, ownDateId, dateId, attempt };
  }

  #blank(id: string, captured: boolean): UnsentPhoto {
    return { id, userId: this.#userId, captured, caption: '', ownDateId: null, dateId: null, attempt: null };
  }
}
