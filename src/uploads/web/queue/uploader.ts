import { uuidv7 } from 'uuidv7';
import { renew } from '../../../auth/web/session/session.ts';
import { authorization } from '../../../base/web/api.ts';
import { UNSENT } from '../../../base/web/device-store.ts';
import { assignDates } from '../../restore-dates.ts';
import type { UploadEvent, UploadItem, UploadQueue } from '../../upload-queue.ts';
import { emptyQueue, nextToSend, reduceUpload, remainingSlots, retryDelay } from '../../upload-queue.ts';
import { discardPhotos } from './discard-photos.ts';
import { QueueSaver, type SelectedPhoto } from './queue-saver.ts';
import { Rest } from './rest.ts';
import { sendPhoto } from './send-photo.ts';
import type { SendResult } from './send-result.ts';
import { forgetShared } from './shared-photos.ts';
import { deletePhotos, findUnsent, readPhotoFile, type UnsentPhoto, type UnsentRun } from './unsent-store.ts';
import { dropUnstored, unstoredIds } from './unstored-shots.ts';
import { withToken } from './with-token.ts';

/**
 * Runs the upload queue of one upload page: holds the files, sends them one at a time, retries with backoff, and stores in
 * IndexedDB what the server has not acknowledged.
 */
export class Uploader {
  readonly #userId: string;
  readonly #keeper: QueueSaver;
  readonly #files = new Map<string, File>();
  /** The photos that are stored on this device and are not in the queue: by their ids, whether they were taken here. */
  readonly #kept = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  readonly #rest = new Rest();
  #queue: UploadQueue = emptyQueue;
  #sending: AbortController | null = null;

  constructor(userId: string) {
    this.#userId = userId;
    this.#keeper = new QueueSaver(userId, this.queue);
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
    const next = reduceUpload(this.#queue, event);
    if (next === this.#queue) return;
    this.#queue = next;
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
    const waiting = over.map(({ id }) => id);
    for (const { id, file } of joining) this.#files.set(id, file);
    for (const { id, captured } of over) this.#kept.set(id, captured);
    this.#tell({ type: 'added', items: joining.map((one) => ({ ...one, name: one.file.name, size: one.file.size })) });
    const safe = this.#keeper.saveNew(fresh, new Set(waiting)).then((kept) => {
      for (const id of waiting) if (!kept.has(id)) this.#kept.delete(id);
      this.#notify();
      return new Set([...known, ...kept]);
    });
    return { left: waiting.length, safe };
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
    void this.#keeper.saveDetails([id]);
  }

  date(dateId: string | null): void {
    this.#tell({ type: 'dated', dateId });
    void this.#keeper.saveDetails(this.#queue.items.map(({ id }) => id));
  }

  /** Sets the own date of each item by id; null removes it. */
  sort(dates: Readonly<Record<string, string | null>>): void {
    this.#tell({ type: 'sorted', dates });
    void this.#keeper.saveDetails(Object.keys(dates));
  }

  /** Starts a run with all unsent items, including those that failed before. */
  start(): void {
    this.#tell({ type: 'started' });
    if (!this.#queue.running) return;
    // Store it now, since a phone or an ended session may close the page at any time.
    void this.#keeper.saveRun(true);
    void withSharedLock(() => this.#run());
  }

  /** Cancels the run. Uploaded photos stay uploaded. */
  stop(): void {
    if (this.#queue.running) void this.#keeper.saveRun(false);
    this.#end();
  }

  /** Ends the run when the page closes. It resumes later if the session ended, but not if the user left the page. */
  leave(): void {
    if (!isSignedIn()) return this.#end();
    this.stop();
    // The user has been asked. Those that are still being stored are kept.
    dropUnstored(this.#queue.items.map(({ id }) => id).filter((id) => unstoredIds().has(id)));
  }

  #end(): void {
    this.#tell({ type: 'stopped' });
    this.#sending?.abort();
    this.#rest.end();
  }

  /**
   * Finds unsent photos of an earlier visit. An upload that was interrupted (by a reload, a closed page or an ended session)
   * resumes at once, unless another tab is sending it. Other photos can be restored by the user.
   */
  async findUnsent(): Promise<void> {
    if (await isUploadingInAnotherTab()) return;
    const { photos, run } = await this.#findUnsent();
    for (const { id, captured } of photos) if (!this.#files.has(id)) this.#kept.set(id, captured);
    this.#notify();
    const ours = photos.filter(({ id }) => run?.goesOn && (run.ids?.includes(id) ?? true));
    if (ours.length === 0 || this.#queue.items.length > 0) return;
    const wasEmpty = await this.#restore(ours, run);
    if (wasEmpty) this.start();
  }

  /** Restores unsent photos, as far as they fit. @returns how many did not fit */
  async restore(): Promise<number> {
    const { photos, run } = await this.#findUnsent();
    await this.#restore(photos, run);
    return this.#kept.size;
  }

  /** Without the photographs of date mode, which are sent by themselves. */
  async #findUnsent(): ReturnType<typeof findUnsent> {
    const { photos, run } = await findUnsent(this.#userId);
    return { photos: photos.filter(({ sendsItself }) => !sendsItself), run };
  }

  async discardUnsent(): Promise<void> {
    const ids = [...this.#kept.keys()];
    this.#kept.clear();
    this.#notify();
    await discardPhotos(ids);
    await forgetShared(ids);
  }

  /** Adds unsent photos to the queue. @returns whether the queue was empty before */
  async #restore(photos: readonly UnsentPhoto[], run: UnsentRun | null): Promise<boolean> {
    const wanted = photos.filter(({ id }) => !this.#files.has(id)).slice(0, remainingSlots(this.#queue));
    const found = await Promise.all(wanted.map(async (photo) => ({ ...photo, file: await readPhotoFile(photo.id) })));
    // The shared date cannot change during a run, so they are restored after it.
    if (this.#queue.running) return false;
    const wasEmpty = this.#queue.items.length === 0;
    const dated = assignDates(found, this.#queue.dateId, run?.dateId ?? null);
    const items = [];
    for (const { file, ...photo } of dated.photos) {
      // Another call, or another tab, may have been faster.
      if (file && !this.#files.has(photo.id) && items.length < remainingSlots(this.#queue)) {
        this.#files.set(photo.id, file);
        items.push({ ...photo, name: file.name, size: file.size });
      }
      if (!file || this.#files.has(photo.id)) this.#kept.delete(photo.id);
    }
    this.#keeper.found(items.map(({ id }) => id));
    this.#tell({ type: 'added', items });
    this.date(dated.dateId);
    return wasEmpty;
  }

  async #run(): Promise<void> {
    for (let item = nextToSend(this.#queue); item; item = nextToSend(this.#queue)) {
      if (!navigator.onLine) {
        this.#tell({ type: 'paused', because: 'offline' });
        await this.#rest.wait(null);
        this.#tell({ type: 'resumed' });
        continue;
      }
      const sent = await this.#send(item);
      if (sent.is === 'aborted') {
        // 'Stop' ends the run. Losing the network only pauses it.
        if (!this.#queue.running) return;
        continue;
      }
      await this.#hear(item.id, sent);
    }
    // A stopped run has already stored whether it resumes.
    if (this.#queue.ended !== null) await this.#keeper.saveRun(false);
  }

  async #send({ id }: UploadItem): Promise<SendResult> {
    const file = this.#files.get(id);
    this.#tell({ type: 'sending', id, newKey: uuidv7() });
    const attempt = this.#queue.items.find((item) => item.id === id)?.attempt;
    if (!file || !attempt) return { is: 'refused', reason: null, mayPass: false };
    // Store the key before the first byte is sent, so that a retry after a reload uses it too.
    await this.#keeper.saveDetails([id]);
    // A page that was opened offline has no token yet. Without one the server would answer 401.
    if (!isSignedIn()) await renew();
    if (!isSignedIn()) return { is: 'broken' };
    if (!this.#queue.running) return { is: 'aborted' };
    this.#sending = new AbortController();
    const { signal } = this.#sending;
    const lost = () => this.#sending?.abort();
    window.addEventListener('offline', lost);
    const sent = await withToken(signal, () =>
      sendPhoto({ id, file, attempt }, (share) => this.#tell({ type: 'progressed', id, share }), signal),
    );
    window.removeEventListener('offline', lost);
    this.#sending = null;
    return sent;
  }

  async #hear(id: string, sent: Exclude<SendResult, { is: 'aborted' }>): Promise<void> {
    switch (sent.is) {
      case 'kept':
        this.#tell({ type: 'uploaded', id });
        dropUnstored([id]);
        await deletePhotos([id]);
        await forgetShared([id]);
        return;
      case 'refused':
        this.#tell({ type: 'refused', id, reason: sent.reason });
        return;
      case 'signed-out':
        this.#tell({ type: 'paused', because: 'signed-out' });
        // The sign-in page replaces this one, and returns to its address.
        await this.#rest.wait(null);
        return;
      case 'broken':
      case 'busy':
        await this.#again(id, sent);
    }
  }

  /** Waits with backoff, or gives up. */
  async #again(id: string, sent: Extract<SendResult, { is: 'broken' | 'busy' }>): Promise<void> {
    const busy = sent.is === 'busy';
    const pause = retryDelay(this.#queue.tries + 1, busy ? sent.retryAfter : null, busy && sent.running);
    if (pause === null) {
      this.#tell(busy ? { type: 'refused', id, reason: sent.reason } : { type: 'gaveUp', id });
      return;
    }
    this.#tell({ type: 'paused', because: busy ? 'busy' : 'connection' });
    await this.#rest.wait(pause);
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#files.delete(id);
    dropUnstored(ids);
    void discardPhotos(ids).then(() => forgetShared(ids));
  }
}

const isSignedIn = () => Object.keys(authorization()).length > 0;

/** Web Locks exist only on HTTPS pages and on localhost. */
const locks = () => navigator.locks as LockManager | undefined;

/** Holds a shared lock while it runs, so that other tabs can see it. */
function withSharedLock(run: () => Promise<void>): Promise<unknown> {
  return locks()?.request(UNSENT, { mode: 'shared' }, run) ?? run();
}

async function isUploadingInAnotherTab(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? [];
  return held.some(({ name }) => name === UNSENT);
}
