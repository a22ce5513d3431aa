import { cleanText } from '../base/clean-text.ts';
import { captionFault } from '../memories/caption.ts';
import { memoryLimits } from '../memories/rules.ts';
import { failedText } from './upload-texts.ts';

/**
 * One item of the upload queue. The queue is a pure state machine: the
 * uploader dispatches events to it, and sends what `nextToSend` returns. One file is sent at a time, in order. Files added
 * during a run wait for the next one, since their captions and dates are not chosen yet.
 */
export interface UploadItem {
  readonly id: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Whether it was taken with the app's camera. */
  readonly captured: boolean;
  /** The raw text of its caption field. */
  readonly caption: string;
  /** The date it was sorted into by its capture time; null to use the shared date. */
  readonly ownDateId: string | null;
  /** Whether no date is proposed for it any more: the user said 'Not now', or made dates of its day. */
  readonly isUnproposed: boolean;
  /** Whether it was added during a run, and waits for the next one. */
  readonly later: boolean;
  readonly state: 'selected' | 'uploading' | 'uploaded' | 'failed';
  /** Percent sent, at most 90 until the server acknowledges the photo. A pause does not reduce it. */
  readonly progress: number;
  /** The server's message if it refused the photo. */
  readonly reason: string | null;
  /** The last attempt to send it. */
  readonly attempt: Attempt | null;
}

/** What was sent under a key. Only the same content may be sent under it again (wire.retrying.1). */
export interface Attempt {
  readonly key: string;
  readonly dateId: string;
  readonly caption: string;
}

/** Why a running upload is paused. */
export type Pause = 'connection' | 'busy' | 'offline' | 'signed-out';

export interface UploadQueue {
  readonly items: readonly UploadItem[];
  /** The shared date, for all items without a date of their own. */
  readonly dateId: string | null;
  readonly isRunning: boolean;
  readonly pause: Pause | null;
  /** How the last run ended: every file uploaded or refused, or the connection given up. */
  readonly ended: 'finished' | 'unreachable' | null;
}

export type UploadEvent =
  | { readonly type: 'added'; readonly items: readonly NewItem[] }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'cleared' }
  | { readonly type: 'captioned'; readonly id: string; readonly caption: string }
  | { readonly type: 'dated'; readonly dateId: string | null }
  | { readonly type: 'sorted'; readonly dates: Readonly<Record<string, string | null>> }
  | { readonly type: 'unproposed'; readonly ids: readonly string[] }
  | { readonly type: 'started' }
  | { readonly type: 'sending'; readonly id: string; readonly newKey: string }
  | { readonly type: 'progressed'; readonly id: string; readonly share: number }
  | { readonly type: 'uploaded'; readonly id: string }
  | { readonly type: 'refused'; readonly id: string; readonly reason: string | null }
  | { readonly type: 'paused'; readonly because: Pause }
  | { readonly type: 'resumed' }
  | { readonly type: 'gaveUp'; readonly id: string }
  | { readonly type: 'stopped' };

/** A new item. One restored from an earlier visit brings its caption and its last attempt. */
export interface NewItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly captured?: boolean;
  readonly caption?: string;
  readonly ownDateId?: string | null;
  readonly isUnproposed?: boolean;
  readonly attempt?: Attempt | null;
}

/** The highest percentage until a file, and until every file, is acknowledged. */
const FILE_CAP = 90;
const OVERALL_CAP = 95;

export const emptyQueue: UploadQueue = {
  items: [],
  dateId: null,
  isRunning: false,
  pause: null,
  ended: null,
};

/** How many more files can be added. */
export function remainingSlots(queue: UploadQueue): number {
  return Math.max(0, memoryLimits.files - queue.items.length);
}

/** Whether an item can be edited or removed: not after it was uploaded, nor during its run. */
export function isEditable(queue: UploadQueue, item: UploadItem): boolean {
  return item.state !== 'uploaded' && (!queue.isRunning || item.later);
}

/** The state after an event. An event that does not apply (such as a removal during a run) changes nothing. */
export function reduceUpload(queue: UploadQueue, event: UploadEvent): UploadQueue {
  return isChoice(event) ? reduceChoice(queue, event) : reduceRun(queue, event);
}

type Choice = Extract<
  UploadEvent,
  { type: 'added' | 'removed' | 'cleared' | 'captioned' | 'dated' | 'sorted' | 'unproposed' }
>;

const CHOICES: ReadonlySet<string> = new Set([
  'added',
  'removed',
  'cleared',
  'captioned',
  'dated',
  'sorted',
  'unproposed',
]);
const isChoice = (event: UploadEvent): event is Choice => CHOICES.has(event.type);

function reduceChoice(queue: UploadQueue, event: Choice): UploadQueue {
  switch (event.type) {
    case 'added': {
      const added = event.items.slice(0, remainingSlots(queue)).map((item) => newItem(item, queue.isRunning));
      return { ...queue, items: [...queue.items, ...added] };
    }
    case 'removed':
      return { ...queue, items: queue.items.filter(({ id, later }) => id !== event.id || (queue.isRunning && !later)) };
    case 'cleared':
      return queue.isRunning ? queue : { ...emptyQueue, dateId: queue.dateId };
    case 'captioned':
      return withOpenItems(queue, (item) => (item.id === event.id ? { ...item, caption: event.caption } : item));
    case 'dated':
      return queue.isRunning ? queue : { ...queue, dateId: event.dateId };
    case 'sorted':
      return withOpenItems(queue, (item) => {
        const dateId = event.dates[item.id];
        return dateId === undefined ? item : { ...item, ownDateId: dateId };
      });
    case 'unproposed':
      return withOpenItems(queue, (item) => (event.ids.includes(item.id) ? { ...item, isUnproposed: true } : item));
  }
}

function withOpenItems(queue: UploadQueue, change: (item: UploadItem) => UploadItem): UploadQueue {
  return { ...queue, items: queue.items.map((item) => (isEditable(queue, item) ? change(item) : item)) };
}

function reduceRun(queue: UploadQueue, event: Exclude<UploadEvent, Choice>): UploadQueue {
  if (event.type === 'started') return canStart(queue) ? started(queue) : queue;
  if (!queue.isRunning) return queue;
  switch (event.type) {
    case 'sending':
      return withItem({ ...queue, pause: null }, event.id, (item) => sendingItem(queue, item, event.newKey));
    case 'progressed':
      return withItem(queue, event.id, (item) =>
        item.state === 'uploading' ? { ...item, progress: Math.max(item.progress, event.share * FILE_CAP) } : item,
      );
    case 'uploaded':
      return finishItem(withItem(queue, event.id, (item) => ({ ...item, state: 'uploaded', progress: 100 })));
    case 'refused':
      return finishItem(withItem(queue, event.id, (item) => failedItem(item, event.reason)));
    case 'paused':
      return { ...queue, pause: event.because };
    case 'resumed':
      return { ...queue, pause: null };
    case 'gaveUp':
      return endRun(
        withItem(queue, event.id, (item) => failedItem(item, null)),
        'unreachable',
      );
    case 'stopped':
      return endRun({ ...queue, items: queue.items.map(backToSelected) }, null);
  }
}

function newItem({ id, name, size, ...more }: NewItem, later: boolean): UploadItem {
  const { captured = false, caption = '', ownDateId = null, isUnproposed = false, attempt = null } = more;
  const fresh = { state: 'selected', progress: 0, reason: null } as const;
  return { id, name, size, captured, caption, ownDateId, isUnproposed, attempt, later, ...fresh };
}

function withItem(queue: UploadQueue, id: string, change: (item: UploadItem) => UploadItem): UploadQueue {
  return { ...queue, items: queue.items.map((item) => (item.id === id ? change(item) : item)) };
}

function started(queue: UploadQueue): UploadQueue {
  const items = queue.items.map((item) => ({
    ...(item.state === 'failed' ? backToSelected(item) : item),
    later: false,
  }));
  return { ...queue, items, isRunning: true, pause: null, ended: null };
}

function sendingItem(queue: UploadQueue, item: UploadItem, newKey: string): UploadItem {
  const dateId = targetDate(queue, item) ?? '';
  const caption = cleanText(item.caption);
  const same = item.attempt?.dateId === dateId && item.attempt.caption === caption;
  const attempt = same ? item.attempt : { key: newKey, dateId, caption };
  return { ...item, attempt, state: 'uploading', reason: null };
}

const failedItem = (item: UploadItem, reason: string | null): UploadItem => ({
  ...item,
  state: 'failed',
  progress: 0,
  reason,
});

const backToSelected = (item: UploadItem): UploadItem =>
  item.state === 'uploaded' ? item : { ...item, state: 'selected', progress: 0, reason: null };

/** After one file is uploaded or refused: continues with the next one, or ends the run. */
function finishItem(queue: UploadQueue): UploadQueue {
  const next = { ...queue, pause: null };
  return nextToSend(next) ? next : endRun(next, 'finished');
}

const endRun = (queue: UploadQueue, how: UploadQueue['ended']): UploadQueue => ({
  ...queue,
  isRunning: false,
  pause: null,
  ended: how,
});

/** The item to send now: the current one, or the next of this run. Undefined if no run is active. */
export function nextToSend(queue: UploadQueue): UploadItem | undefined {
  if (!queue.isRunning) return undefined;
  return (
    queue.items.find(({ state }) => state === 'uploading') ??
    queue.items.find(({ state, later }) => state === 'selected' && !later)
  );
}

/** The date an item is uploaded to. */
export function targetDate(queue: UploadQueue, item: UploadItem): string | null {
  return item.ownDateId ?? queue.dateId;
}

/** The items that are not uploaded yet. */
export function unsentOf(queue: UploadQueue): readonly UploadItem[] {
  return queue.items.filter(({ state }) => state !== 'uploaded');
}

/** Files exist, each has a date, and no upload runs (uploads.sending.1). Captions are checked on submit. */
export function canSave(queue: UploadQueue): boolean {
  const unsent = unsentOf(queue);
  return !queue.isRunning && unsent.length > 0 && unsent.every((item) => targetDate(queue, item) !== null);
}

/** Whether a run can start: nothing is sent while a caption is too long. */
export function canStart(queue: UploadQueue): boolean {
  return canSave(queue) && unsentOf(queue).every(({ caption }) => captionFault(caption) === undefined);
}

export interface UploadSummary {
  readonly total: number;
  readonly uploaded: number;
  readonly failed: number;
  /** Whole percent, at most 95 until every file is acknowledged. */
  readonly percent: number;
}

/** Counts and progress of the run. */
export function summarize(queue: UploadQueue): UploadSummary {
  const items = queue.items.filter(({ later }) => !later);
  const total = items.length;
  const uploaded = items.filter(({ state }) => state === 'uploaded').length;
  const failed = items.filter(({ state }) => state === 'failed').length;
  const sum = items.reduce((all, { progress }) => all + progress, 0);
  const percent = total === 0 ? 0 : Math.floor(sum / total);
  return { total, uploaded, failed, percent: uploaded === total ? percent : Math.min(OVERALL_CAP, percent) };
}

/** Whether every selected photo is uploaded, so that the page can redirect. */
export function isDone(queue: UploadQueue): boolean {
  return queue.ended !== null && queue.items.length > 0 && unsentOf(queue).length === 0;
}

const UNREACHABLE = 'An unexpected error occurred during upload. Please check your connection and try again.';

/** The alert after a run with failures, or null. */
export function alertOf(queue: UploadQueue): string | null {
  const { failed, uploaded } = summarize(queue);
  if (queue.isRunning || failed === 0) return null;
  return queue.ended === 'unreachable' ? UNREACHABLE : failedText(failed, uploaded);
}
