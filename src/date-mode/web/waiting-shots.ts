import { uuidv7 } from 'uuidv7';
import { createStore } from '../../base/web/state/store.ts';
import { withTimeout } from '../../base/web/storage/device-database.ts';
import { type Outgoing, photoSender, type SendEvent } from '../../uploads/web/queue/sender.ts';
import { type Storing, storeShot, storingOf, unstoredShots } from '../../uploads/web/queue/store-shot.ts';
import {
  findUnsent,
  readDetails,
  readPhotoFile,
  saveDetails,
  type UnsentPhoto,
} from '../../uploads/web/queue/unsent-store.ts';

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

/** The photographs of date mode on this page. */
export const waitingShots = createStore<readonly WaitingShot[]>([]);

/** What this device stores with each that is not sent. */
const details = new Map<string, UnsentPhoto>();

unstoredShots.subscribe(() => changeEach((shot) => ({ ...shot, storing: storingOf(shot.id) })));

function changeEach(change: (shot: WaitingShot) => WaitingShot): void {
  waitingShots.set(waitingShots.get().map(change));
}

function mark(id: string, change: Partial<WaitingShot>): void {
  changeEach((shot) => (shot.id === id ? { ...shot, ...change } : shot));
}

function isWaiting(id: string): boolean {
  return waitingShots.get().some((shot) => shot.id === id);
}

/** Sends a photograph into a date by itself, now or at a later visit. It is stored on this device until the server has it. */
export async function addShot(owner: string, dateId: string, file: File): Promise<void> {
  const attempt = { key: uuidv7(), dateId, caption: '' };
  const id = uuidv7();
  const photo = { id, userId: owner, captured: true, caption: '', ownDateId: null, dateId, attempt, sendsItself: true };
  // At once: the phone may close the page at any time.
  details.set(id, photo);
  const storing = storeShot(id, file, () => details.get(id) ?? null);
  await show(id, dateId, file);
  await storing;
  send(photo, file);
}

/** Continues with what was not sent at an earlier visit. */
export async function resumeShots(owner: string): Promise<void> {
  for (const photo of await findUnsent(owner)) {
    const { id, dateId, sendsItself } = photo;
    if (!sendsItself || !dateId || isWaiting(id)) continue;
    const file = await readPhotoFile(id);
    if (file && (await show(id, dateId, file))) send(photo, file);
  }
}

/** Removes what the album shows by now. */
export function clearSentShots(): void {
  const shots = waitingShots.get();
  for (const { state, url } of shots) if (state === 'sent') URL.revokeObjectURL(url);
  waitingShots.set(shots.filter(({ state }) => state !== 'sent'));
}

/** @returns whether it was not shown before */
async function show(id: string, dateId: string, file: File): Promise<boolean> {
  const size = await withTimeout(createImageBitmap(file).catch(() => undefined));
  const { width, height } = size ?? { width: 16, height: 9 };
  size?.close();
  if (isWaiting(id)) return false;
  const url = URL.createObjectURL(file);
  const shot = { id, dateId, url, width, height, storing: storingOf(id), state: 'waiting', reason: null } as const;
  waitingShots.set([...waitingShots.get(), shot]);
  return true;
}

function send(photo: UnsentPhoto, file: File): void {
  const { id } = photo;
  const begin: Outgoing['begin'] = async () => {
    // Another tab may have learned that the server refuses it.
    const stored = await readDetails(id);
    const isRefused = stored?.sendsItself === false;
    mark(id, { state: isRefused ? 'refused' : 'sending' });
    return isRefused ? null : photo.attempt;
  };
  const tell = (event: SendEvent) => {
    if (event.type === 'uploaded') {
      details.delete(id);
      mark(id, { state: 'sent' });
    } else if (event.type === 'refused') {
      leaveToUploadPage(photo);
      mark(id, { state: 'refused', reason: event.reason });
    } else if (event.type === 'paused') {
      mark(id, { state: 'waiting' });
    }
  };
  photoSender.add([{ id, file, isPatient: true, begin, tell }]);
}

function leaveToUploadPage(photo: UnsentPhoto): void {
  const left = { ...photo, sendsItself: false, dateId: null, attempt: null };
  details.set(photo.id, left);
  void saveDetails([left]);
}
