import { uuidv7 } from 'uuidv7';
import { holdLock, isLockHeld } from '../../../base/web/device/locks.ts';
import { hasToken } from '../../../base/web/net/access-token.ts';
import { createStore } from '../../../base/web/state/store.ts';
import { UNSENT } from '../../../base/web/storage/device-store.ts';
import { restoreDates } from '../../restore-dates.ts';
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
  readonly queue = createStore<UploadQueue>(emptyQueue);
  /** How many photos can be restored. */
  readonly keptCount = createStore(0);
  /** Ends the lock that tells other tabs of the run. */
  #endRun: () => void = () => undefined;

  constructor(userId: string) {
    this.#userId = userId;
  }

  /** How many of those were taken here. */
  keptShots(): number {
    return [...this.#kept.values()].filter(Boolean).length;
  }

  readonly fileOf = (id: string): File | undefined => this.#files.get(id);

  #apply(event: UploadEvent): void {
    const before = this.queue.get();
    const next = reduceUpload(before, event);
    this.queue.set(next);
    if (before.isRunning && !next.isRunning) this.#onRunEnded();
  }

  #countKept(): void {
    this.keptCount.set(this.#kept.size);
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
    const joining = fresh.slice(0, remainingSlots(this.queue.get()));
    const over = fresh.slice(joining.length);
    for (const { id, file } of joining) this.#files.set(id, file);
    for (const { id, captured } of over) this.#kept.set(id, captured);
    this.#countKept();
    this.#apply({ type: 'added', items: joining.map((one) => ({ ...one, name: one.file.name, size: one.file.size })) });
    return { left: over.length, safe: this.#storeAll(fresh).then((stored) => new Set([...known, ...stored])) };
  }

  /** Stores new photos one at a time. @returns the ids of those that are stored, or were uploaded or removed meanwhile */
  async #storeAll(fresh: readonly SelectedPhoto[]): Promise<string[]> {
    const safe: string[] = [];
    for (const { id, file, captured } of fresh) {
      const details = () => this.#details(id);
      const unsent = details();
      const isStored = unsent === null || (await (captured ? storeShot(id, file, details) : storePhoto(unsent, file)));
      const isGone = details() === null;
      if (isGone) await deletePhotos([id]);
      if (isStored || isGone) safe.push(id);
      else if (!captured) this.#kept.delete(id);
    }
    this.#countKept();
    return safe;
  }

  remove(id: string): void {
    this.#apply({ type: 'removed', id });
    if (!this.queue.get().items.some((item) => item.id === id)) this.#forget([id]);
  }

  /** Removes the failed items only. */
  removeFailed(): void {
    for (const { id, state } of this.queue.get().items) if (state === 'failed') this.remove(id);
  }

  clear(): void {
    if (this.queue.get().isRunning) return;
    const ids = this.queue.get().items.map(({ id }) => id);
    this.#apply({ type: 'cleared' });
    this.#forget(ids);
  }

  setCaption(id: string, caption: string): void {
    this.#apply({ type: 'captioned', id, caption });
    void this.#saveDetails([id]);
  }

  setDate(dateId: string | null): void {
    this.#apply({ type: 'dated', dateId });
    void this.#saveDetails(this.queue.get().items.map(({ id }) => id));
  }

  /** Sets a date of its own for each item, by id; null removes it. */
  assignDates(dates: Readonly<Record<string, string | null>>): void {
    this.#apply({ type: 'sorted', dates });
    void this.#saveDetails(Object.keys(dates));
  }

  /** Proposes no date for these items any more. */
  proposeNone(ids: readonly string[]): void {
    this.#apply({ type: 'unproposed', ids });
    void this.#saveDetails(ids);
  }

  /** Starts a run with all unsent items, including those that failed before. */
  start(): void {
    if (this.queue.get().isRunning) return;
    this.#apply({ type: 'started' });
    if (!this.queue.get().isRunning) return;
    const run = this.queue.get().items.filter(({ state }) => state === 'selected');
    // Store it now, since a phone or an ended session may close the page at any time.
    void this.#saveDetails(run.map(({ id }) => id));
    this.#endRun = holdLock(RUN);
    photoSender.add(run.map((item) => this.#outgoing(item)));
  }

  #outgoing({ id }: UploadItem): Outgoing {
    const file = this.#files.get(id) ?? new File([], '');
    const begin = async () => {
      this.#apply({ type: 'sending', id, newKey: uuidv7() });
      await this.#saveDetails([id]);
      return this.queue.get().items.find((item) => item.id === id)?.attempt ?? null;
    };
    return { id, file, isPatient: false, begin, tell: (event) => this.#apply({ ...event, id } as UploadEvent) };
  }

  /** Cancels the run. Uploaded photos stay uploaded. */
  stop(): void {
    this.#apply({ type: 'stopped' });
  }

  /** Ends the run when the page closes. It resumes later if the session ended, but not if the user left the page. */
  leave(): void {
    this.stop();
    // The user has been asked. Those that are still being stored are kept.
    dropUnstored(
      this.queue
        .get()
        .items.map(({ id }) => id)
        .filter((id) => storingOf(id) === 'failed'),
    );
  }

  #onRunEnded(): void {
    const ids = this.queue.get().items.map(({ id }) => id);
    photoSender.remove(new Set(ids));
    if (hasToken()) void this.#saveDetails(ids);
    this.#endRun();
  }

  /**
   * Finds unsent photos of an earlier visit. An upload that was interrupted (by a reload, a closed page or an ended session)
   * resumes at once, unless another tab is sending it. Other photos can be restored by the user.
   */
  async findUnsent(): Promise<void> {
    if (await isLockHeld(RUN)) return;
    const photos = await this.#findUnsent();
    for (const { id, captured } of photos) if (!this.#files.has(id)) this.#kept.set(id, captured);
    this.#countKept();
    const run = photos.filter(({ isStarted }) => isStarted);
    if (run.length === 0 || this.queue.get().items.length > 0) return;
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
    this.#countKept();
    await discardPhotos(ids);
    await forgetShared(ids);
  }

  /** Adds unsent photos to the queue. @returns whether the queue was empty before */
  async #restore(photos: readonly UnsentPhoto[]): Promise<boolean> {
    const wanted = photos.filter(({ id }) => !this.#files.has(id)).slice(0, remainingSlots(this.queue.get()));
    const found = await Promise.all(wanted.map(async (photo) => ({ ...photo, file: await readPhotoFile(photo.id) })));
    // The shared date cannot change during a run, so they are restored after it.
    if (this.queue.get().isRunning) return false;
    const wasEmpty = this.queue.get().items.length === 0;
    const dated = restoreDates(found, this.queue.get().dateId);
    const items = [];
    for (const { file, ...photo } of dated.photos) {
      // Another call, or another tab, may have been faster.
      if (file && !this.#files.has(photo.id) && items.length < remainingSlots(this.queue.get())) {
        this.#files.set(photo.id, file);
        items.push({ ...photo, name: file.name, size: file.size });
      }
      if (!file || this.#files.has(photo.id)) this.#kept.delete(photo.id);
    }
    this.#countKept();
    this.#apply({ type: 'added', items });
    this.setDate(dated.dateId);
    return wasEmpty;
  }

  #saveDetails(ids: readonly string[]): Promise<void> {
    return saveDetails(ids.flatMap((id) => this.#details(id) ?? []));
  }

  /** What this device stores of a photo; null if it was uploaded or removed in the meantime. */
  #details(id: string): UnsentPhoto | null {
    const { items, dateId, isRunning } = this.queue.get();
    const item = items.find((one) => one.id === id);
    const common = { id, userId: this.#userId };
    if (item && item.state !== 'uploaded') {
      const { captured, caption, ownDateId, isUnproposed, attempt, later } = item;
      const isStarted = isRunning && !later;
      return { ...common, captured, caption, ownDateId, isUnproposed, dateId, attempt, isStarted };
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

/** The lock that each tab holds while it runs an upload. */
const RUN = `${UNSENT}-run`;
