import type { UploadQueue } from '../../upload-queue.ts';
import { type KeptPhoto, keepPhoto, keepRun, keepWords } from './unsent-store.ts';

/** A photograph that was chosen, with its id in the queue. */
export interface Chosen {
  readonly id: string;
  readonly file: File;
  readonly captured: boolean;
}

/**
 * Keeps the queue in the browser's own store: the bytes of each photograph once, and what was typed after each change,
 * since a phone ends a page without telling it. Changes that come while a write is under way go with the next one.
 */
export class PhotoKeeper {
  readonly #userId: string;
  readonly #queue: () => UploadQueue;
  /** Those whose bytes are kept, or are being written. */
  readonly #stored = new Set<string>();
  readonly #changed = new Set<string>();
  #writing: Promise<void> | null = null;

  constructor(userId: string, queue: () => UploadQueue) {
    this.#userId = userId;
    this.#queue = queue;
  }

  /**
   * Keeps new photographs, one after the other. Answers those that need nobody else to keep them: the store has them,
   * or they were sent or taken out meanwhile.
   * @param waiting those that are not in the queue, and stay kept for another time
   */
  async keepNew(chosen: readonly Chosen[], waiting: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const safe = new Set<string>();
    for (const { id, file, captured } of chosen) {
      const said = waiting.has(id) ? this.#blank(id, captured) : this.#said(id);
      if (said === null) {
        safe.add(id);
        continue;
      }
      this.#stored.add(id);
      if (await keepPhoto(said, file)) safe.add(id);
      else this.#stored.delete(id);
    }
    return safe;
  }

  /** These came out of the store: their bytes are kept. */
  found(ids: readonly string[]): void {
    for (const id of ids) this.#stored.add(id);
  }

  /** Keeps what is now said of these; resolves when it is kept. */
  keepWords(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#changed.add(id);
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /** Keeps which photographs the run has, and whether it goes on when the page comes back. */
  keepRun(goesOn: boolean): Promise<unknown> {
    const { dateId, items } = this.#queue();
    const ids = items.filter(({ state, later }) => state !== 'uploaded' && !later).map(({ id }) => id);
    return keepRun({ userId: this.#userId, dateId, goesOn, ids });
  }

  async #write(): Promise<void> {
    do {
      const said = [...this.#changed].flatMap((id) => (this.#stored.has(id) ? (this.#said(id) ?? []) : []));
      this.#changed.clear();
      await keepWords(said);
    } while (this.#changed.size > 0);
    this.#writing = null;
  }

  /** Null for one that was sent, or taken out, meanwhile. */
  #said(id: string): KeptPhoto | null {
    const { items, dateId } = this.#queue();
    const item = items.find((one) => one.id === id);
    if (!item || item.state === 'uploaded') return null;
    const { captured, caption, ownDateId, attempt } = item;
    return { id, userId: this.#userId, captured, caption, ownDateId, dateId, attempt };
  }

  #blank(id: string, captured: boolean): KeptPhoto {
    return { id, userId: this.#userId, captured, caption: '', ownDateId: null, dateId: null, attempt: null };
  }
}
