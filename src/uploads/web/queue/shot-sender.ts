import { uuidv7 } from 'uuidv7';
import { renew } from '../../../auth/web/session/session.ts';
import { authorization } from '../../../base/web/api.ts';
import { within } from '../../../base/web/device-database.ts';
import { UNSENT } from '../../../base/web/device-store.ts';
import { retryDelay } from '../../upload-queue.ts';
import { Rest } from './rest.ts';
import { sendPhoto } from './send-photo.ts';
import type { SendResult } from './send-result.ts';
import { deletePhotos, findUnsent, readDetails, readPhotoFile, saveDetails, type UnsentPhoto } from './unsent-store.ts';
import { dropUnstored, onUnstored, type Storing, storeShot, storingOf, unstoredIds } from './unstored-shots.ts';
import { withToken } from './with-token.ts';

/** A photograph taken in date mode that the album does not show yet. */
export interface WaitingShot {
  readonly id: string;
  readonly dateId: string;
  /** An object URL. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** Whether this device has it. Until then it exists only on this page. */
  readonly storing: Storing;
  /** `sent` until the album shows it. */
  readonly state: 'waiting' | 'sending' | 'sent' | 'refused';
  /** The server's message if it refused the photograph. */
  readonly reason: string | null;
}

/** The longest pause between attempts: a photograph of an evening is never given up. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Sends the photographs of date mode, each straight into its date, in the order in which they were taken. They are stored
 * on this device until the server has them. Unlike the uploader it belongs to no page: it continues on every screen, and
 * when the app is opened again. What the server refuses stays for the upload page to restore. What the device can't store
 * is sent too, but is lost with the page.
 */
class ShotSender {
  readonly #listeners = new Set<() => void>();
  readonly #rest = new Rest();
  #owner = '';
  #shots: readonly WaitingShot[] = [];
  #isRunning = false;
  /** Something was added while it ran. */
  #hasMore = false;

  constructor() {
    onUnstored(() => {
      if (this.#shots.some(({ id, storing }) => storing !== storingOf(id)))
        this.#set(this.#shots.map((shot) => ({ ...shot, storing: storingOf(shot.id) })));
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly shots = (): readonly WaitingShot[] => this.#shots;

  #set(shots: readonly WaitingShot[]): void {
    this.#shots = shots;
    for (const listener of this.#listeners) listener();
  }

  #mark(id: string, change: Partial<WaitingShot>): void {
    this.#set(this.#shots.map((shot) => (shot.id === id ? { ...shot, ...change } : shot)));
  }

  /** Continues with what was not sent at an earlier visit. */
  async resume(owner: string): Promise<void> {
    this.#belongTo(owner);
    const { photos } = await findUnsent(owner);
    for (const photo of photos) {
      const { id, dateId, sendsItself } = photo;
      if (!sendsItself || !dateId || this.#shots.some((shot) => shot.id === id)) continue;
      const file = await readPhotoFile(id);
      if (file) await this.#show(photo, dateId, file);
    }
    this.#run();
  }

  /** Adds a photograph to a date. */
  async add(owner: string, dateId: string, file: File): Promise<void> {
    this.#belongTo(owner);
    const photo: UnsentPhoto = {
      id: uuidv7(),
      userId: owner,
      captured: true,
      caption: '',
      ownDateId: null,
      dateId,
      attempt: { key: uuidv7(), dateId, caption: '' },
      sendsItself: true,
    };
    // At once: the phone may close the page at any time.
    const storing = storeShot(photo, file);
    await this.#show(photo, dateId, file);
    await storing;
    // It may have been sent in the meantime, with others.
    if (!this.#files.has(photo.id)) dropUnstored([photo.id]);
    this.#run();
  }

  /** Forgets the photographs of another user of this device. */
  #belongTo(owner: string): void {
    if (this.#owner === owner) return;
    this.#owner = owner;
    this.#files.clear();
    if (this.#shots.length > 0) this.#set([]);
  }

  /** Removes what the album shows by now. */
  clearSent(): void {
    for (const { state, url } of this.#shots) if (state === 'sent') URL.revokeObjectURL(url);
    this.#set(this.#shots.filter(({ state }) => state !== 'sent'));
  }

  readonly #files = new Map<string, { readonly file: File; readonly photo: UnsentPhoto }>();

  async #show(photo: UnsentPhoto, dateId: string, file: File): Promise<void> {
    const { id } = photo;
    const size = await within(createImageBitmap(file).catch(() => undefined));
    const { width, height } = size ?? { width: 16, height: 9 };
    size?.close();
    if (this.#shots.some((shot) => shot.id === id)) return;
    this.#files.set(id, { file, photo });
    const url = URL.createObjectURL(file);
    const storing = storingOf(id);
    this.#set([...this.#shots, { id, dateId, url, width, height, storing, state: 'waiting', reason: null }]);
  }

  #run(): void {
    this.#rest.end();
    this.#hasMore = this.#isRunning;
    if (this.#isRunning) return;
    this.#isRunning = true;
    const locks = navigator.locks as LockManager | undefined;
    // One tab at a time sends.
    const sending = locks?.request(`${UNSENT}-shots`, () => this.#sendAll()) ?? this.#sendAll();
    void Promise.resolve(sending)
      // The next visit continues.
      .catch(() => undefined)
      .finally(() => {
        this.#isRunning = false;
        if (this.#hasMore) this.#run();
      });
  }

  async #sendAll(): Promise<void> {
    let tries = 0;
    for (let shot = this.#next(); shot; shot = this.#next()) {
      if (!navigator.onLine) {
        await this.#rest.wait(LONGEST_PAUSE_MS);
        continue;
      }
      if (await this.#isTaken(shot)) continue;
      this.#mark(shot.id, { state: 'sending' });
      const sent = await this.#send(shot);
      if (sent.is === 'kept') {
        tries = 0;
        await this.#finish(shot.id);
      } else if (sent.is === 'refused' && !sent.mayPass) {
        await this.#refuse(shot, sent.reason);
      } else {
        this.#mark(shot.id, { state: 'waiting' });
        // One that makes the server fail does not hold up the others.
        if (sent.is === 'refused') this.#moveToEnd(shot.id);
        // The sign-in page replaces this one. The photographs continue after it.
        if (sent.is === 'signed-out') return;
        tries += 1;
        const busy = sent.is === 'busy' ? sent : null;
        await this.#rest.wait(retryDelay(tries, busy?.retryAfter ?? null, busy?.running) ?? LONGEST_PAUSE_MS);
      }
    }
  }

  async #finish(id: string): Promise<void> {
    this.#files.delete(id);
    const isUnstored = unstoredIds().has(id);
    dropUnstored([id]);
    // It may be stored late, so it is deleted anyway.
    const deleting = deletePhotos([id]);
    if (!isUnstored) await deleting;
    this.#mark(id, { state: 'sent' });
  }

  #moveToEnd(id: string): void {
    const isIt = (shot: WaitingShot) => shot.id === id;
    this.#set([...this.#shots.filter((shot) => !isIt(shot)), ...this.#shots.filter(isIt)]);
  }

  #next(): WaitingShot | undefined {
    return this.#shots.find(({ state }) => state === 'waiting');
  }

  /** Whether another tab has sent this photograph, or has left it to the upload page. Then it is not sent again. */
  async #isTaken({ id }: WaitingShot): Promise<boolean> {
    const stored = await readDetails(id);
    if (!stored || (stored.sendsItself && !stored.doneAt)) return false;
    this.#files.delete(id);
    this.#mark(id, { state: stored.doneAt ? 'sent' : 'refused' });
    return true;
  }

  async #send({ id }: WaitingShot): Promise<SendResult> {
    const kept = this.#files.get(id);
    const attempt = kept?.photo.attempt;
    if (!kept || !attempt) return { is: 'refused', reason: null, mayPass: false };
    if (Object.keys(authorization()).length === 0) await renew();
    const lost = new AbortController();
    const abort = () => lost.abort();
    window.addEventListener('offline', abort);
    const photo = { id, file: kept.file, attempt };
    const sent = await withToken(lost.signal, () => sendPhoto(photo, () => undefined, lost.signal));
    window.removeEventListener('offline', abort);
    return sent.is === 'aborted' ? { is: 'broken' } : sent;
  }

  /** Leaves a refused photograph to the upload page. */
  async #refuse({ id }: WaitingShot, reason: string | null): Promise<void> {
    const kept = this.#files.get(id);
    if (kept) {
      const photo = { ...kept.photo, sendsItself: false, dateId: null, attempt: null };
      if (unstoredIds().has(id)) await storeShot(photo, kept.file);
      else await saveDetails([photo]);
    }
    this.#mark(id, { state: 'refused', reason });
  }
}

/** The page's one sender. */
export const shotSender = new ShotSender();
