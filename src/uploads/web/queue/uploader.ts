import { uuidv7 } from 'uuidv7';
import { renew } from '../../../auth/web/session/session.ts';
import { authorization, authorized } from '../../../base/web/api.ts';
import { UNSENT } from '../../../base/web/device-store.ts';
import { withTheirDates } from '../../restore-dates.ts';
import type { UploadEvent, UploadItem, UploadQueue } from '../../upload-queue.ts';
import { emptyQueue, nextToSend, pauseAfter, reduceUpload, roomIn } from '../../upload-queue.ts';
import { takeBack } from './discard-photos.ts';
import { type Chosen, PhotoKeeper } from './queue-saver.ts';
import { sendPhoto } from './send-photo.ts';
import type { Sent } from './send-result.ts';
import { forgetShared } from './shared-photos.ts';
import { dropPhotos, findKept, type KeptPhoto, type KeptRun, keptFile } from './unsent-store.ts';

/**
 * Carries out what the queue decides: holds the files, sends them one at a time, waits out what breaks, and keeps in
 * the browser's store what the server has not acknowledged. One lives as long as the upload page is shown.
 */
export class Uploader {
  readonly #userId: string;
  readonly #keeper: PhotoKeeper;
  readonly #files = new Map<string, File>();
  /** Those that are kept on this device and are not in the queue. */
  readonly #kept = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #queue: UploadQueue = emptyQueue;
  #sending: AbortController | null = null;
  #wake: (() => void) | null = null;

  constructor(userId: string) {
    this.#userId = userId;
    this.#keeper = new PhotoKeeper(userId, this.queue);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly queue = (): UploadQueue => this.#queue;

  /** How many photographs wait to be restored. */
  readonly kept = (): number => this.#kept.size;

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

  /** Adds files in the order given. Answers for how many there was no room: these stay kept. */
  choose(files: readonly File[], captured = false): number {
    return this.takeOver(files.map((file) => ({ id: uuidv7(), file, captured }))).left;
  }

  /**
   * Adds photographs in the order given; what is over the limit stays kept, to be restored later.
   * @returns for how many there was no room; and the ids of those that need nobody else to keep them, once that is sure
   */
  takeOver(chosen: readonly Chosen[]): { readonly left: number; readonly safe: Promise<ReadonlySet<string>> } {
    const known = chosen.map(({ id }) => id).filter((id) => this.#kept.has(id));
    const fresh = chosen.filter(({ id }) => !this.#kept.has(id) && !this.#files.has(id));
    const joining = fresh.slice(0, roomIn(this.#queue));
    const waiting = fresh.slice(joining.length).map(({ id }) => id);
    for (const { id, file } of joining) this.#files.set(id, file);
    for (const id of waiting) this.#kept.add(id);
    this.#tell({ type: 'added', items: joining.map((one) => ({ ...one, name: one.file.name, size: one.file.size })) });
    const safe = this.#keeper.keepNew(fresh, new Set(waiting)).then((kept) => {
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

  /** Takes out what failed; what has not been tried, or was added since, is not touched. */
  giveUpFailed(): void {
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
    void this.#keeper.keepWords([id]);
  }

  date(dateId: string | null): void {
    this.#tell({ type: 'dated', dateId });
    void this.#keeper.keepWords(this.#queue.items.map(({ id }) => id));
  }

  /** Gives each of the named items a date of its own; null takes it away again. */
  sort(dates: Readonly<Record<string, string | null>>): void {
    this.#tell({ type: 'sorted', dates });
    void this.#keeper.keepWords(Object.keys(dates));
  }

  /** Sends what is not yet sent; what failed before is tried again. */
  start(): void {
    this.#tell({ type: 'started' });
    if (!this.#queue.running) return;
    // From the start: the page may be gone before anything can be written, by a phone or by a session that ended.
    void this.#keeper.keepRun(true);
    void alone(() => this.#run());
  }

  /** Ends it: what is under way is taken back, what is uploaded stays. */
  stop(): void {
    if (this.#queue.running) void this.#keeper.keepRun(false);
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
   * Looks for photographs of an earlier visit. An upload that was under way when its page went (a reload, a phone that
   * ended it, a session that was over) goes on at once, unless another tab is at it; the others wait to be restored.
   */
  async findKept(): Promise<void> {
    if (await isUnderWayElsewhere()) return;
    const { photos, run } = await findKept(this.#userId);
    for (const { id } of photos) if (!this.#files.has(id)) this.#kept.add(id);
    this.#notify();
    const ours = photos.filter(({ id }) => run?.goesOn && (run.ids?.includes(id) ?? true));
    if (ours.length === 0 || this.#queue.items.length > 0) return;
    const alone = await this.#restore(ours, run);
    if (alone) this.start();
  }

  /** Brings back what is kept, as much as there is room for. Answers how many had no room. */
  async restore(): Promise<number> {
    const { photos, run } = await findKept(this.#userId);
    await this.#restore(photos, run);
    return this.#kept.size;
  }

  async discardKept(): Promise<void> {
    const ids = [...this.#kept];
    this.#kept.clear();
    this.#notify();
    await takeBack(ids);
    await forgetShared(ids);
  }

  /** Answers whether nothing else was in the queue. */
  async #restore(photos: readonly KeptPhoto[], run: KeptRun | null): Promise<boolean> {
    const wanted = photos.filter(({ id }) => !this.#files.has(id)).slice(0, roomIn(this.#queue));
    const found = await Promise.all(wanted.map(async (photo) => ({ ...photo, file: await keptFile(photo.id) })));
    // The date for all can't be chosen while an upload runs: they stay kept until it is over.
    if (this.#queue.running) return false;
    const alone = this.#queue.items.length === 0;
    const dated = withTheirDates(found, this.#queue.dateId, run?.dateId ?? null);
    const items = [];
    for (const { file, ...photo } of dated.photos) {
      // Another press, or another tab, may have been faster.
      if (file && !this.#files.has(photo.id) && items.length < roomIn(this.#queue)) {
        this.#files.set(photo.id, file);
        items.push({ ...photo, name: file.name, size: file.size });
      }
      if (!file || this.#files.has(photo.id)) this.#kept.delete(photo.id);
    }
    this.#keeper.found(items.map(({ id }) => id));
    this.#tell({ type: 'added', items });
    this.date(dated.dateId);
    return alone;
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
    if (this.#queue.ended !== null) await this.#keeper.keepRun(false);
  }

  async #send({ id }: UploadItem): Promise<Sent> {
    const file = this.#files.get(id);
    this.#tell({ type: 'sending', id, newKey: uuidv7() });
    const attempt = this.#queue.items.find((item) => item.id === id)?.attempt;
    if (!file || !attempt) return { is: 'refused', reason: null };
    // Before the first byte goes, so that after a reload it is sent under the same key.
    await this.#keeper.keepWords([id]);
    // A page that began without a connection has no token yet: without one the server would answer as if we had signed out.
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

  async #hear(id: string, sent: Exclude<Sent, { is: 'aborted' }>): Promise<void> {
    switch (sent.is) {
      case 'kept':
        this.#tell({ type: 'uploaded', id });
        await dropPhotos([id]);
        await forgetShared([id]);
        return;
      case 'refused':
        this.#tell({ type: 'refused', id, reason: sent.reason });
        return;
      case 'signed-out':
        this.#tell({ type: 'paused', because: 'signed-out' });
        // The page gives way to the sign-in page, and comes back by its address.
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
    const pause = pauseAfter(this.#queue.tries + 1, busy ? sent.retryAfter : null, busy && sent.running);
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

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#files.delete(id);
    void takeBack(ids).then(() => forgetShared(ids));
  }
}

/** Sends; where the token has expired, once more with a new one. */
async function withToken(signal: AbortSignal, send: () => Promise<Sent>): Promise<Sent> {
  const ask = async (): Promise<{ sent: Sent; status: number }> => {
    const sent: Sent = signal.aborted ? { is: 'aborted' } : await send();
    return { sent, status: sent.is === 'signed-out' ? 401 : 200 };
  };
  // A new token that cannot be had is a broken connection.
  return authorized(ask).then(
    ({ sent }) => sent,
    () => ({ is: 'broken' }),
  );
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
