import { uuidv7 } from 'uuidv7';
import { hasToken } from '../../../base/web/net/access-token.ts';
import { UNSENT } from '../../../base/web/storage/device-store.ts';
import { assignDates } from '../../restore-dates.ts';
import type { UploadEvent, UploadItem, UploadQueue } from '../../upload-queue.ts';
import { emptyQueue, reduceUpload, remainingSlots } from '../../upload-queue.ts';
import { discardPhotos } from './discard-photos.ts';
import { type Outgoing, photoSender } from './sender.ts';
import { forgetShared } from './shared-photos.ts';
import { dropUnstored, storeShot, storingOf } from './store-shot.ts';
import { deletePhotos, findUnsent, readPhotoFile, saveDetails, storePhoto, type UnsentPhoto } from './unsent-store.ts';

/** A selected photo with its id in the queue. */
export interface SelectedPhoto {
  readonly id: string;
  readonly file: File;
  readonly captured: boolean;
}

/**
 * What one upload page has selected. It holds the files, stores each on this device, with its details after each change,
 * since a phone may close a page at any time, and gives the run to the sender.
 */
export class Uploader {
  readonly #userId: string;
  readonly #files = new Map<string, File>();
  /** The photos that are stored on this device and are not in the queue: by their ids, whether they were taken here. */
  readonly #kept = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  #queue: UploadQueue = emptyQueue;
  /** Ends the lock that tells other tabs of the run. */
  #endRun: () => void = () => undefined;

  constructor(userId: string) {
    this.#userId = userId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly queue = (): UploadQueue => this.#queue;

  /** How many photos can be restored. */
  readonly kept = (): number => this.#kept.size;

  /** How many of those were taken here. */
  keptShots(): number {
    return [...this.#kept.values()].filter(Boolean).length;
  }

  readonly fileOf = (id: string): File | undefined => this.#files.get(id);

  #tell(event: UploadEvent): void {
    const before = this.#queue;
    this.#queue = reduceUpload(before, event);
    if (this.#queue === before) return;
    if (before.running && !this.#queue.running) this.#onRunEnded();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Adds files in order. @returns how many did not fit and stay on this device */
  addFiles(files: readonly File[], captured = false): number {
    return this.addPhotos(files.map((file) => ({ id: uuidv7(), file, captured }))).left;
  }

  /**
   * Adds photos in order. Those over the limit are stored on this device, to be restored later.
   * @returns `left`: how many did not fit; `safe`: the ids that other stores may drop, once that is certain
   */
  addPhotos(chosen: readonly SelectedPhoto[]): { readonly left: number; readonly safe: Promise<ReadonlySet<string>> } {
    const known = chosen.map(({ id }) => id).filter((id) => this.#kept.has(id));
    const fresh = chosen.filter(({ id }) => !this.#kept.has(id) && !this.#files.has(id));
    const joining = fresh.slice(0, remainingSlots(this.#queue));
    const over = fresh.slice(joining.length);
    for (const { id, file } of joining) this.#files.set(id, file);
    for (const { id, captured } of over) this.#kept.set(id, captured);
    this.#tell({ type: 'added', items: joining.map((one) => ({ ...one, name: one.file.name, size: one.file.size })) });
    return { left: over.length, safe: this.#storeAll(fresh).then((stored) => new Set([...known, ...stored])) };
  }

  /** Stores new photos one at a time. @returns the ids of those that are stored, or were uploaded or removed meanwhile */
  async #storeAll(fresh: readonly SelectedPhoto[]): Promise<string[]> {
    const safe: string[] = [];
    for (const { id, file, captured } of fresh) {
      const details = () => this.#details(id);
      const now = details();
      const isStored = now === null || (await (captured ? storeShot(id, file, details) : storePhoto(now, file)));
      const isGone = details() === null;
      if (isGone) await deletePhotos([id]);
      if (isStored || isGone) safe.push(id);
      else if (!captured) this.#kept.delete(id);
    }
    this.#notify();
    return safe;
  }

  remove(id: string): void {
    this.#tell({ type: 'removed', id });
    if (!this.#queue.items.some((item) => item.id === id)) this.#forget([id]);
  }

  /** Removes the failed items only. */
  removeFailed(): void {
    for (const { id, state } of this.#queue.items) if (state === 'failed') this.remove(id);
  }

  clear(): void {
    if (this.#queue.running) return;
    const ids = this.#queue.items.map(({ id }) => id);
    this.#tell({ type: 'cleared' });
    this.#forget(ids);
  }

  caption(id: string, caption: string): void {
    this.#tell({ type: 'captioned', id, caption });
    void this.#saveDetails([id]);
  }

  date(dateId: string | null): void {
    this.#tell({ type: 'dated', dateId });
    void this.#saveDetails(this.#queue.items.map(({ id }) => id));
  }

  /** Sets a date of its own for each item, by id; null removes it. */
  sort(dates: Readonly<Record<string, string | null>>): void {
    this.#tell({ type: 'sorted', dates });
    void this.#saveDetails(Object.keys(dates));
  }

  /** Starts a run with all unsent items, including those that failed before. */
  start(): void {
    if (this.#queue.running) return;
    this.#tell({ type: 'started' });
    if (!this.#queue.running) return;
    const run = this.#queue.items.filter(({ state }) => state === 'selected');
    // Store it now, since a phone or an ended session may close the page at any time.
    void this.#saveDetails(run.map(({ id }) => id));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endRun = resolve;
    void locks()?.request(RUN, { mode: 'shared' }, () => promise);
    photoSender.add(run.map((item) => this.#outgoing(item)));
  }

  #outgoing({ id }: UploadItem): Outgoing {
    const file = this.#files.get(id) ?? new File([], '');
    const begin = async () => {
      this.#tell({ type: 'sending', id, newKey: uuidv7() });
      await this.#saveDetails([id]);
      return this.#queue.items.find((item) => item.id === id)?.attempt ?? null;
    };
    return { id, file, isPatient: false, begin, tell: (event) => this.#tell({ ...event, id } as UploadEvent) };
  }

  /** Cancels the run. Uploaded photos stay uploaded. */
  stop(): void {
    this.#tell({ type: 'stopped' });
  }

  /** Ends the run when the page closes. It resumes later if the session ended, but not if the user left the page. */
  leave(): void {
    this.stop();
    // The user has been asked. Those that are still being stored are kept.
    dropUnstored(this.#queue.items.map(({ id }) => id).filter((id) => storingOf(id) === 'failed'));
  }

  #onRunEnded(): void {
    const ids = this.#queue.items.map(({ id }) => id);
    photoSender.remove(new Set(ids));
    if (hasToken()) void this.#saveDetails(ids);
    this.#endRun();
  }

  /**
   * Finds unsent photos of an earlier visit. An upload that was interrupted (by a reload, a closed page or an ended session)
   * resumes at once, unless another tab is sending it. Other photos can be restored by the user.
   */
  async findUnsent(): Promise<void> {
    if (await isUploadingInAnotherTab()) return;
    const photos = await this.#findUnsent();
    for (const { id, captured } of photos) if (!this.#files.has(id)) this.#kept.set(id, captured);
    this.#notify();
    const run = photos.filter(({ isStarted }) => isStarted);
    if (run.length === 0 || this.#queue.items.length > 0) return;
    const wasEmpty = await this.#restore(run);
    if (wasEmpty) this.start();
  }

  /** Restores unsent photos, as far as they fit. @returns how many did not fit */
  async restore(): Promise<number> {
    await this.#restore(await this.#findUnsent());
    return this.#kept.size;
  }

  /** Without the photographs of date mode, which are sent by themselves. */
  async #findUnsent(): Promise<readonly UnsentPhoto[]> {
    return (await findUnsent(this.#userId)).filter(({ sendsItself }) => !sendsItself);
  }

  async discardUnsent(): Promise<void> {
    const ids = [...this.#kept.keys()];
    this.#kept.clear();
    this.#notify();
    await discardPhotos(ids);
    await forgetShared(ids);
  }

  /** Adds unsent photos to the queue. @returns whether the queue was empty before */
  async #restore(photos: readonly UnsentPhoto[]): Promise<boolean> {
    const wanted = photos.filter(({ id }) => !this.#files.has(id)).slice(0, remainingSlots(this.#queue));
    const found = await Promise.all(wanted.map(async (photo) => ({ ...photo, file: await readPhotoFile(photo.id) })));
    // The shared date cannot change during a run, so they are restored after it.
    if (this.#queue.running) return false;
    const wasEmpty = this.#queue.items.length === 0;
    const dated = assignDates(found, this.#queue.dateId);
    const items = [];
    for (const { file, ...photo } of dated.photos) {
      // Another call, or another tab, may have been faster.
      if (file && !this.#files.has(photo.id) && items.length < remainingSlots(this.#queue)) {
        this.#files.set(photo.id, file);
        items.push({ ...photo, name: file.name, size: file.size });
      }
      if (!file || this.#files.has(photo.id)) this.#kept.delete(photo.id);
    }
    this.#tell({ type: 'added', items });
    this.date(dated.dateId);
    return wasEmpty;
  }

  #saveDetails(ids: readonly string[]): Promise<void> {
    return saveDetails(ids.flatMap((id) => this.#details(id) ?? []));
  }

  /** What this device stores of a photo; null if it was uploaded or removed in the meantime. */
  #details(id: string): UnsentPhoto | null {
    const { items, dateId, running } = this.#queue;
    const item = items.find((one) => one.id === id);
    const common = { id, userId: this.#userId };
    if (item && item.state !== 'uploaded') {
      const { captured, caption, ownDateId, attempt, later } = item;
      return { ...common, captured, caption, ownDateId, dateId, attempt, isStarted: running && !later };
    }
    const captured = this.#kept.get(id);
    if (item || captured === undefined) return null;
    return { ...common, captured, caption: '', ownDateId: null, dateId: null, attempt: null };
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#files.delete(id);
    dropUnstored(ids);
    void discardPhotos(ids).then(() => forgetShared(ids));
  }
}

/** The lock that each tab holds while it runs an upload. Web Locks exist only on HTTPS pages and on localhost. */
const RUN = `${UNSENT}-run`;
const locks = () => navigator.locks as LockManager | undefined;

async function isUploadingInAnotherTab(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? [];
  return held.some(({ name }) => name === RUN);
}
