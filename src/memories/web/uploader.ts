import { uuidv7 } from 'uuidv7';
import { authorization, reportSignedOut } from '../../base/web/api.ts';
import { UNSENT } from '../../base/web/device-store.ts';
import type { UploadEvent, UploadItem, UploadQueue } from '../upload-queue.ts';
import { emptyQueue, nextToSend, pauseAfter, reduceUpload } from '../upload-queue.ts';
import { dropPhotos, findKept, type KeptPhoto, keepFile, keepPhoto, keepRun, keptFile } from './kept-photos.ts';
import { sendPhoto } from './send-photo.ts';
import type { Sent } from './sent.ts';
import { takeBack } from './take-back.ts';

/**
 * Carries out what the queue decides: holds the files, sends them one at a time, waits out what breaks, and keeps in
 * the browser's store what the server has not acknowledged. One lives as long as the upload page is shown.
 */
export class Uploader {
  readonly #userId: string;
  readonly #files = new Map<string, File>();
  readonly #listeners = new Set<() => void>();
  #queue: UploadQueue = emptyQueue;
  #sending: AbortController | null = null;
  #wake: (() => void) | null = null;

  constructor(userId: string) {
    this.#userId = userId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly queue = (): UploadQueue => this.#queue;

  readonly fileOf = (id: string): File | undefined => this.#files.get(id);

  #tell(event: UploadEvent): void {
    const next = reduceUpload(this.#queue, event);
    if (next === this.#queue) return;
    this.#queue = next;
    for (const listener of this.#listeners) listener();
  }

  /** Adds files in the order given. */
  choose(files: readonly File[], captured = false): void {
    const items = files.map((file) => ({ id: uuidv7(), name: file.name, size: file.size, captured, file }));
    for (const { id, file } of items) this.#files.set(id, file);
    this.#tell({ type: 'added', items });
    if (this.#queue.dateId !== null) void this.#keepRun(false);
    void this.#keepFiles(items.map(({ id }) => id));
  }

  remove(id: string): void {
    this.#tell({ type: 'removed', id });
    this.#forget([id]);
  }

  clear(): void {
    const ids = this.#queue.items.map(({ id }) => id);
    this.#tell({ type: 'cleared' });
    this.#forget(ids);
  }

  caption(id: string, caption: string): void {
    this.#tell({ type: 'captioned', id, caption });
  }

  /** The typing has ended: what was written is kept as well. */
  captioned(id: string): void {
    void this.#keep([id]);
  }

  date(dateId: string | null): void {
    this.#tell({ type: 'dated', dateId });
    // With nothing chosen yet it says nothing of this visit, and of the last one something is still to be read.
    if (this.#queue.items.length > 0) void this.#keepRun(false);
  }

  /** Gives each of the named items a date of its own; null takes it away again. */
  sort(dates: Readonly<Record<string, string | null>>): void {
    this.#tell({ type: 'sorted', dates });
    void this.#keep(Object.keys(dates));
  }

  /** Sends what is not yet sent; what failed before is tried again. */
  start(): void {
    this.#tell({ type: 'started' });
    if (!this.#queue.running) return;
    // From the start: the page may be gone before anything can be written, by a phone or by a session that ended.
    void this.#keepRun(true);
    void alone(() => this.#run());
  }

  /** Ends it: what is under way is taken back, what is uploaded stays. */
  stop(): void {
    if (this.#queue.running) void this.#keepRun(false);
    this.#end();
  }

  /** The page is left: by choice, which cancels the upload; or because the session is over, after which it goes on. */
  leave(): void {
    if (isSignedIn()) this.stop();
    else this.#end();
  }

  #end(): void {
    this.#tell({ type: 'stopped' });
    this.#sending?.abort();
    this.#wake?.();
  }

  /**
   * How many photographs of an earlier visit wait to be restored. An upload that was under way when its page went (a
   * reload, a phone that ended it, a session that was over) goes on at once, unless another tab is at it.
   */
  async findKept(): Promise<number> {
    if (await isUnderWayElsewhere()) return 0;
    const { photos, run } = await findKept(this.#userId);
    if (photos.length === 0 || this.#queue.items.length > 0) return 0;
    if (!run?.goesOn) return photos.length;
    await this.#restore(photos, run.dateId);
    this.start();
    return 0;
  }

  async restore(): Promise<void> {
    const { photos, run } = await findKept(this.#userId);
    await this.#restore(photos, this.#queue.dateId ?? run?.dateId ?? null);
  }

  async discardKept(): Promise<void> {
    const { photos } = await findKept(this.#userId);
    const ours = new Set(this.#queue.items.map(({ id }) => id));
    await takeBack(photos.map(({ id }) => id).filter((id) => !ours.has(id)));
  }

  async #restore(photos: readonly KeptPhoto[], dateId: string | null): Promise<void> {
    const found = await Promise.all(photos.map(async (photo) => ({ ...photo, file: await keptFile(photo.id) })));
    const items = found.flatMap(({ file, ...photo }) => {
      if (!file || this.#files.has(photo.id)) return [];
      this.#files.set(photo.id, file);
      return [{ ...photo, name: file.name, size: file.size }];
    });
    this.#tell({ type: 'added', items });
    this.#tell({ type: 'dated', dateId });
  }

  async #run(): Promise<void> {
    for (let item = nextToSend(this.#queue); item; item = nextToSend(this.#queue)) {
      if (!navigator.onLine) {
        this.#tell({ type: 'paused', because: 'offline' });
        await this.#rest(null);
        this.#tell({ type: 'resumed' });
        continue;
      }
      const sent = await this.#send(item);
      if (sent.is === 'aborted') {
        // Taken back by 'Stop', the run is over; by the loss of the network, it pauses.
        if (!this.#queue.running) return;
        continue;
      }
      await this.#hear(item.id, sent);
    }
    // One that was stopped has said already whether it goes on.
    if (this.#queue.ended !== null) await this.#keepRun(false);
  }

  async #send({ id }: UploadItem): Promise<Sent> {
    const file = this.#files.get(id);
    this.#tell({ type: 'sending', id, newKey: uuidv7() });
    const attempt = this.#queue.items.find((item) => item.id === id)?.attempt;
    if (!file || !attempt) return { is: 'refused', reason: null };
    // Before the first byte goes, so that after a reload it is sent under the same key.
    await this.#keep([id]);
    if (!this.#queue.running) return { is: 'aborted' };
    this.#sending = new AbortController();
    const lost = () => this.#sending?.abort();
    window.addEventListener('offline', lost);
    const sent = await sendPhoto(
      { id, file, attempt },
      (share) => this.#tell({ type: 'progressed', id, share }),
      this.#sending.signal,
    );
    window.removeEventListener('offline', lost);
    this.#sending = null;
    return sent;
  }

  async #hear(id: string, sent: Exclude<Sent, { is: 'aborted' }>): Promise<void> {
    switch (sent.is) {
      case 'kept':
        this.#tell({ type: 'uploaded', id });
        await dropPhotos([id]);
        return;
      case 'refused':
        this.#tell({ type: 'refused', id, reason: sent.reason });
        return;
      case 'signed-out':
        this.#tell({ type: 'paused', because: 'signed-out' });
        // The page now gives way to the sign-in page, and comes back by its address.
        reportSignedOut();
        await this.#rest(null);
        return;
      case 'broken':
      case 'busy':
        await this.#again(id, sent);
    }
  }

  /** Waits longer each time, then gives up: the server that will not, or the connection that is not there. */
  async #again(id: string, sent: Extract<Sent, { is: 'broken' | 'busy' }>): Promise<void> {
    const busy = sent.is === 'busy';
    const pause = pauseAfter(this.#queue.tries + 1, busy ? sent.retryAfter : null);
    if (pause === null) {
      this.#tell(busy ? { type: 'refused', id, reason: sent.reason } : { type: 'gaveUp', id });
      return;
    }
    this.#tell({ type: 'paused', because: busy ? 'busy' : 'connection' });
    await this.#rest(pause);
  }

  /** Rests so many milliseconds, or without end; a network that comes back, or 'Stop', ends it at once. */
  async #rest(ms: number | null): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      window.addEventListener('online', this.#wake);
    });
    if (this.#wake) window.removeEventListener('online', this.#wake);
    this.#wake = null;
  }

  async #keep(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      // It may have been sent, or taken out, while the one before it was written.
      const item = this.#queue.items.find((one) => one.id === id);
      if (!item || item.state === 'uploaded') continue;
      const { captured, caption, ownDateId, attempt } = item;
      await keepPhoto({ id, userId: this.#userId, captured, caption, ownDateId, attempt });
    }
  }

  async #keepFiles(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const file = this.#files.get(id);
      const item = this.#queue.items.find((one) => one.id === id);
      if (!file || !item || item.state === 'uploaded') continue;
      await keepFile(id, file);
      await this.#keep([id]);
    }
  }

  #keepRun(goesOn: boolean): Promise<unknown> {
    return keepRun({ userId: this.#userId, dateId: this.#queue.dateId, goesOn });
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#files.delete(id);
    void takeBack(ids);
  }
}

const isSignedIn = () => Object.keys(authorization()).length > 0;

/** Browsers have locks only where the page came over HTTPS, or from this machine. */
const locks = () => navigator.locks as LockManager | undefined;

/** Runs while other tabs can see that it does. */
function alone(run: () => Promise<void>): Promise<unknown> {
  return locks()?.request(UNSENT, { mode: 'shared' }, run) ?? run();
}

async function isUnderWayElsewhere(): Promise<boolean> {
  const held = (await locks()?.query())?.held ?? [];
  return held.some(({ name }) => name === UNSENT);
}
