import { renew } from '../../../auth/web/session/renew.ts';
import { withLock } from '../../../base/web/device/locks.ts';
import { authorized, hasToken } from '../../../base/web/net/access-token.ts';
import { UNSENT } from '../../../base/web/storage/device-store.ts';
import { retryDelay } from '../../retry-delay.ts';
import type { Attempt, Pause } from '../../upload-queue.ts';
import { sendPhoto } from './send-photo.ts';
import type { SendResult } from './send-result.ts';
import { forgetShared } from './shared-photos.ts';
import { dropUnstored } from './store-shot.ts';
import { deletePhotos } from './unsent-store.ts';

/** What happens to a photograph of the queue. `paused` and `resumed` go to all that wait. */
export type SendEvent =
  | { readonly type: 'progressed'; readonly share: number }
  | { readonly type: 'uploaded' }
  | { readonly type: 'refused'; readonly reason: string | null }
  | { readonly type: 'paused'; readonly because: Pause }
  | { readonly type: 'resumed' }
  | { readonly type: 'gaveUp' };

/** A photograph in the sender's queue. */
export interface Outgoing {
  readonly id: string;
  readonly file: File;
  /** Whether it is tried until the server has it or refuses it for good. Others are given up after a while. */
  readonly isPatient: boolean;
  /**
   * Called right before each attempt. Resolves to what is sent under which key, once that is stored on this device, so
   * that an attempt after a reload uses the key too; null if the photograph is not to be sent anymore.
   */
  readonly begin: () => Promise<Attempt | null>;
  readonly tell: (event: SendEvent) => void;
}

type Failure = Extract<SendResult, { readonly is: 'refused' | 'busy' | 'broken' }>;

/** The longest pause between attempts for a photograph that is never given up. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Sends the photographs of its queue one at a time, in order, and in one tab at a time. What the server has is deleted
 * on this device. Two tabs that have the same photograph send it under the same key, so it is saved once.
 */
class PhotoSender {
  #queue: readonly Outgoing[] = [];
  #isRunning = false;
  #sending: AbortController | null = null;
  /** Ends the current pause. */
  #wake: () => void = () => undefined;
  /** Tells other tabs what they need not send. */
  readonly #tabs = new BroadcastChannel(`${UNSENT}-sent`);

  constructor() {
    this.#tabs.onmessage = ({ data: id }: MessageEvent<string>) => {
      const photo = this.#queue.find((one) => one.id === id);
      if (photo) this.#finish(photo, { type: 'uploaded' });
    };
  }

  /** Adds photographs to the end of the queue, and tries again at once. */
  add(photos: readonly Outgoing[]): void {
    this.#queue = [...this.#queue, ...photos];
    this.#wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#sendAll()
      // The next photograph, or the next visit, continues.
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
      });
  }

  /** Takes photographs out of the queue, also the one that is being sent. */
  remove(ids: ReadonlySet<string>): void {
    const [first] = this.#queue;
    this.#queue = this.#queue.filter(({ id }) => !ids.has(id));
    if (first === this.#queue[0]) return;
    this.#sending?.abort();
    this.#wake();
  }

  async #sendAll(): Promise<void> {
    let tries = 0;
    for (let [photo] = this.#queue; photo; [photo] = this.#queue) {
      if (!navigator.onLine) {
        this.#tellAll({ type: 'paused', because: 'offline' });
        await this.#pause(null);
        this.#tellAll({ type: 'resumed' });
        tries = 0;
        continue;
      }
      const sent = await this.#send(photo);
      // The sign-in page replaces this one, and returns to its address.
      if (sent.is === 'signed-out') return this.#tellAll({ type: 'paused', because: 'signed-out' });
      const willRetry = sent.is !== 'kept' && sent.is !== 'aborted' && this.#queue.includes(photo);
      tries = willRetry ? tries + 1 : 0;
      if (willRetry && !(await this.#waitOrGiveUp(photo, sent, tries))) tries = 0;
    }
  }

  /** After a failed attempt. @returns whether it is tried again */
  async #waitOrGiveUp(photo: Outgoing, sent: Failure, tries: number): Promise<boolean> {
    const pause = delayAfter(photo, sent, tries);
    if (pause === null) {
      this.#finish(photo, sent.is === 'broken' ? { type: 'gaveUp' } : { type: 'refused', reason: sent.reason });
      return false;
    }
    // One that makes the server fail does not hold up the others.
    if (sent.is === 'refused') this.#queue = [...this.#queue.filter((one) => one !== photo), photo];
    this.#tellAll({ type: 'paused', because: sent.is === 'busy' ? 'busy' : 'connection' });
    await this.#pause(pause);
    return true;
  }

  /** Makes one attempt, once no other tab sends. Other tabs know of a success before it is their turn. */
  #send(photo: Outgoing): Promise<SendResult> {
    return withLock(`${UNSENT}-sending`, async () => {
      const sent = await this.#attempt(photo);
      if (sent.is === 'kept') await this.#keep(photo);
      return sent;
    });
  }

  async #attempt(photo: Outgoing): Promise<SendResult> {
    const { id, file } = photo;
    // Another tab may have sent it in the meantime.
    const attempt = this.#queue.includes(photo) ? await photo.begin() : null;
    if (attempt === null) this.remove(new Set([id]));
    // A page that was opened offline has no token yet. Without one the server would answer 401.
    if (!hasToken()) await renew();
    if (attempt === null || !this.#queue.includes(photo)) return { is: 'aborted' };
    if (!hasToken()) return { is: 'broken' };
    const sending = new AbortController();
    this.#sending = sending;
    const { signal } = sending;
    const abort = () => sending.abort();
    window.addEventListener('offline', abort);
    const send = () => sendPhoto({ id, file, attempt }, (share) => photo.tell({ type: 'progressed', share }), signal);
    const sent = await withToken(signal, send);
    window.removeEventListener('offline', abort);
    this.#sending = null;
    return sent;
  }

  /** The server has it. */
  async #keep(photo: Outgoing): Promise<void> {
    this.#finish(photo, { type: 'uploaded' });
    this.#tabs.postMessage(photo.id);
    dropUnstored([photo.id]);
    await deletePhotos([photo.id]);
    await forgetShared([photo.id]);
  }

  #finish(photo: Outgoing, event: SendEvent): void {
    this.remove(new Set([photo.id]));
    photo.tell(event);
  }

  #tellAll(event: SendEvent): void {
    for (const photo of this.#queue) photo.tell(event);
  }

  /** Waits until the network is back or `#wake` is called, at most `ms` milliseconds. */
  async #pause(ms: number | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = ms === null ? undefined : setTimeout(resolve, ms);
    this.#wake = resolve;
    window.addEventListener('online', this.#wake);
    await promise;
    clearTimeout(timer);
    window.removeEventListener('online', this.#wake);
    this.#wake = () => undefined;
  }
}

/** The app's one sender. */
export const photoSender = new PhotoSender();

/** The pause before the next attempt, in milliseconds; null to give the photograph up. */
function delayAfter({ isPatient }: Outgoing, sent: Failure, tries: number): number | null {
  if (sent.is === 'refused' && !(isPatient && sent.mayPass)) return null;
  const busy = sent.is === 'busy' ? sent : null;
  return retryDelay(tries, busy?.retryAfter ?? null, busy?.isStillRunning) ?? (isPatient ? LONGEST_PAUSE_MS : null);
}

/** Sends, and retries once with a new token if it has expired. */
async function withToken(signal: AbortSignal, send: () => Promise<SendResult>): Promise<SendResult> {
  const ask = async (): Promise<{ sent: SendResult; status: number }> => {
    const sent: SendResult = signal.aborted ? { is: 'aborted' } : await send();
    return { sent, status: sent.is === 'signed-out' ? 401 : 200 };
  };
  // A failed renewal counts as a broken connection.
  return authorized(ask).then(
    ({ sent }) => sent,
    () => ({ is: 'broken' }),
  );
}
