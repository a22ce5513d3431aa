import { cleanText } from '../base/text.ts';
import { memoryLimits } from '../memories/rules.ts';
import { captionFault, failedText } from './selection.ts';

/**
 * The upload as a state machine (spec 4, Upload item and Upload run; contract 5). It knows no file, no clock and no
 * network: whoever sends tells it what happened, and does what `nextToSend` says. One file is under way at a time, in
 * order; what is uploaded stays so. Files that are added during a run wait for the next one: their captions and their
 * date are still to be chosen.
 */
export interface UploadItem {
  readonly id: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Taken with our camera. */
  readonly captured: boolean;
  /** As it stands in its field. */
  readonly caption: string;
  /** The date into which it was sorted by its capture time; null follows the date chosen for all. */
  readonly ownDateId: string | null;
  /** Added during a run, and not part of it. */
  readonly later: boolean;
  readonly state: 'selected' | 'uploading' | 'uploaded' | 'failed';
  /** Percent: the most that was sent of it, 90 at most until the server has acknowledged it. A pause takes none away. */
  readonly progress: number;
  /** Why the server refused it, in its words, where it said so. */
  readonly reason: string | null;
  /** How it was last sent. */
  readonly attempt: Attempt | null;
}

/** What was sent under which key: only the very same may be sent under it again (contract 1, Retrying). */
export interface Attempt {
  readonly key: string;
  readonly dateId: string;
  readonly caption: string;
}

/** Why nothing is being sent though the upload runs. */
export type Pause = 'connection' | 'busy' | 'offline' | 'signed-out';

export interface UploadQueue {
  readonly items: readonly UploadItem[];
  /** The date chosen for all that have none of their own. */
  readonly dateId: string | null;
  readonly running: boolean;
  readonly pause: Pause | null;
  /** How often the item under way has been tried in vain. */
  readonly tries: number;
  /** How the last run ended: with every file told of, or with the connection given up. */
  readonly ended: 'told' | 'unreachable' | null;
}

export type UploadEvent =
  | { readonly type: 'added'; readonly items: readonly NewItem[] }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'cleared' }
  | { readonly type: 'captioned'; readonly id: string; readonly caption: string }
  | { readonly type: 'dated'; readonly dateId: string | null }
  | { readonly type: 'sorted'; readonly dates: Readonly<Record<string, string | null>> }
  | { readonly type: 'started' }
  | { readonly type: 'sending'; readonly id: string; readonly newKey: string }
  | { readonly type: 'progressed'; readonly id: string; readonly share: number }
  | { readonly type: 'uploaded'; readonly id: string }
  | { readonly type: 'refused'; readonly id: string; readonly reason: string | null }
  | { readonly type: 'paused'; readonly because: Pause }
  | { readonly type: 'resumed' }
  | { readonly type: 'gaveUp'; readonly id: string }
  | { readonly type: 'stopped' };

/** A file as it joins the queue. What was restored from an earlier visit brings its caption and its last attempt. */
export interface NewItem {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly captured?: boolean;
  readonly caption?: string;
  readonly ownDateId?: string | null;
  readonly attempt?: Attempt | null;
}

/** The caps until a file, and until the whole, is acknowledged, in percent (spec 9, Simulated progress). */
const FILE_CAP = 90;
const OVERALL_CAP = 95;

export const emptyQueue: UploadQueue = {
  items: [],
  dateId: null,
  running: false,
  pause: null,
  tries: 0,
  ended: null,
};

/** How many more files fit (spec 5: up to 100). */
export function roomIn(queue: UploadQueue): number {
  return Math.max(0, memoryLimits.files - queue.items.length);
}

/** Whether an item's caption, its date and its place can be changed: never what was sent, nor what is being sent. */
export function isOpen(queue: UploadQueue, item: UploadItem): boolean {
  return item.state !== 'uploaded' && (!queue.running || item.later);
}

/** The state after an event. What does not fit the state (a removal while it runs) changes nothing. */
export function reduceUpload(queue: UploadQueue, event: UploadEvent): UploadQueue {
  return isChoice(event) ? reduceChoice(queue, event) : reduceRun(queue, event);
}

type Choice = Extract<UploadEvent, { type: 'added' | 'removed' | 'cleared' | 'captioned' | 'dated' | 'sorted' }>;

const CHOICES: ReadonlySet<string> = new Set(['added', 'removed', 'cleared', 'captioned', 'dated', 'sorted']);
const isChoice = (event: UploadEvent): event is Choice => CHOICES.has(event.type);

function reduceChoice(queue: UploadQueue, event: Choice): UploadQueue {
  switch (event.type) {
    case 'added': {
      const added = event.items.slice(0, roomIn(queue)).map((item) => newItem(item, queue.running));
      return { ...queue, items: [...queue.items, ...added] };
    }
    case 'removed':
      return { ...queue, items: queue.items.filter((item) => item.id !== event.id || (queue.running && !item.later)) };
    case 'cleared':
      return queue.running ? queue : { ...emptyQueue, dateId: queue.dateId };
    case 'captioned':
      return withOpenItems(queue, (item) => (item.id === event.id ? { ...item, caption: event.caption } : item));
    case 'dated':
      return queue.running ? queue : { ...queue, dateId: event.dateId };
    case 'sorted':
      return withOpenItems(queue, (item) => {
        const dateId = event.dates[item.id];
        return dateId === undefined ? item : { ...item, ownDateId: dateId };
      });
  }
}

function withOpenItems(queue: UploadQueue, change: (item: UploadItem) => UploadItem): UploadQueue {
  return { ...queue, items: queue.items.map((item) => (isOpen(queue, item) ? change(item) : item)) };
}

function reduceRun(queue: UploadQueue, event: Exclude<UploadEvent, Choice>): UploadQueue {
  if (event.type === 'started') return canStart(queue) ? started(queue) : queue;
  if (!queue.running) return queue;
  switch (event.type) {
    case 'sending':
      return withItem({ ...queue, pause: null }, event.id, (item) => sendingItem(queue, item, event.newKey));
    case 'progressed':
      return withItem(queue, event.id, (item) =>
        item.state === 'uploading' ? { ...item, progress: Math.max(item.progress, event.share * FILE_CAP) } : item,
      );
    case 'uploaded':
      return told(withItem(queue, event.id, (item) => ({ ...item, state: 'uploaded', progress: 100 })));
    case 'refused':
      return told(withItem(queue, event.id, (item) => failedItem(item, event.reason)));
    case 'paused': {
      const tries = event.because === 'connection' || event.because === 'busy' ? queue.tries + 1 : queue.tries;
      return { ...queue, pause: event.because, tries };
    }
    case 'resumed':
      // A new connection, or a new session: what was tried before it says nothing.
      return { ...queue, pause: null, tries: 0 };
    case 'gaveUp':
      return ended(
        withItem(queue, event.id, (item) => failedItem(item, null)),
        'unreachable',
      );
    case 'stopped':
      return ended({ ...queue, items: queue.items.map(backToSelected) }, null);
  }
}

function newItem({ id, name, size, ...more }: NewItem, later: boolean): UploadItem {
  const { captured = false, caption = '', ownDateId = null, attempt = null } = more;
  const fresh = { state: 'selected', progress: 0, reason: null } as const;
  return { id, name, size, captured, caption, ownDateId, attempt, later, ...fresh };
}

function withItem(queue: UploadQueue, id: string, change: (item: UploadItem) => UploadItem): UploadQueue {
  return { ...queue, items: queue.items.map((item) => (item.id === id ? change(item) : item)) };
}

function started(queue: UploadQueue): UploadQueue {
  const items = queue.items.map((item) => ({
    ...(item.state === 'failed' ? backToSelected(item) : item),
    later: false,
  }));
  return { ...queue, items, running: true, pause: null, tries: 0, ended: null };
}

function sendingItem(queue: UploadQueue, item: UploadItem, newKey: string): UploadItem {
  const dateId = dateOf(queue, item) ?? '';
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

/** One file has been told of: the next may go, or all is over. */
function told(queue: UploadQueue): UploadQueue {
  const next = { ...queue, tries: 0, pause: null };
  return nextToSend(next) ? next : ended(next, 'told');
}

const ended = (queue: UploadQueue, how: UploadQueue['ended']): UploadQueue => ({
  ...queue,
  running: false,
  pause: null,
  tries: 0,
  ended: how,
});

/** The item to be sent now: the one under way, or the first of this run that waits. None while nothing runs. */
export function nextToSend(queue: UploadQueue): UploadItem | undefined {
  if (!queue.running) return undefined;
  return (
    queue.items.find(({ state }) => state === 'uploading') ??
    queue.items.find(({ state, later }) => state === 'selected' && !later)
  );
}

/** The date an item goes to. */
export function dateOf(queue: UploadQueue, item: UploadItem): string | null {
  return item.ownDateId ?? queue.dateId;
}

/** What has not reached the server yet. */
export function unsentOf(queue: UploadQueue): readonly UploadItem[] {
  return queue.items.filter(({ state }) => state !== 'uploaded');
}

/** Files exist, each has a date, and no upload runs (spec 2, the footer). What captions lack is told on pressing. */
export function canSave(queue: UploadQueue): boolean {
  const unsent = unsentOf(queue);
  return !queue.running && unsent.length > 0 && unsent.every((item) => dateOf(queue, item) !== null);
}

/** With a caption that is too long nothing is sent (contract 5). */
export function canStart(queue: UploadQueue): boolean {
  return canSave(queue) && unsentOf(queue).every(({ caption }) => captionFault(caption) === undefined);
}

export interface UploadFigures {
  readonly total: number;
  readonly uploaded: number;
  readonly failed: number;
  /** Whole percent: 95 at most until every file is acknowledged. */
  readonly percent: number;
}

/** The figures of the run: what is uploaded by what there is, with the share of the one under way. */
export function figuresOf(queue: UploadQueue): UploadFigures {
  const items = queue.items.filter(({ later }) => !later);
  const total = items.length;
  const uploaded = items.filter(({ state }) => state === 'uploaded').length;
  const failed = items.filter(({ state }) => state === 'failed').length;
  const sum = items.reduce((all, { progress }) => all + progress, 0);
  const percent = total === 0 ? 0 : Math.floor(sum / total);
  return { total, uploaded, failed, percent: uploaded === total ? percent : Math.min(OVERALL_CAP, percent) };
}

/** Whether everything that was chosen is on the server, and the way on may be taken. */
export function isDone(queue: UploadQueue): boolean {
  return queue.ended !== null && queue.items.length > 0 && unsentOf(queue).length === 0;
}

const UNREACHABLE = 'An unexpected error occurred during upload. Please check your connection and try again.';

/** What is told when a run has ended and not everything is safe (spec 8, Upload form). */
export function alertOf(queue: UploadQueue): string | null {
  const { failed, uploaded } = figuresOf(queue);
  if (queue.running || failed === 0) return null;
  return queue.ended === 'unreachable' ? UNREACHABLE : failedText(failed, uploaded);
}

/** Where a finished upload leads: to the date that most of them went to, of several the first. */
export function dateOfMost(queue: UploadQueue): string | null {
  const counts = new Map<string, number>();
  for (const item of queue.items) {
    // The date chosen for all may have changed since this one was sent.
    const date = item.state === 'uploaded' && item.attempt ? item.attempt.dateId : dateOf(queue, item);
    if (date !== null) counts.set(date, (counts.get(date) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? queue.dateId;
}

/** Pauses between the tries over a broken connection, in milliseconds; after the last it is given up. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000] as const;
/** A server may work on one photograph for minutes: so often it is asked again while an earlier try is running. */
const RUNNING_TRIES = 20;

/**
 * How long to wait after so many vain tries, in milliseconds, or null where to wait no longer. A server that asks to be
 * tried again later (409, 429, 503) is asked when it says, half an hour later at most.
 * @param running an earlier try of the same thing is still running on the server
 */
export function pauseAfter(tries: number, retryAfter: number | null, running = false): number | null {
  const pause = running && tries <= RUNNING_TRIES ? PAUSES[Math.min(tries, PAUSES.length) - 1] : PAUSES[tries - 1];
  return pause === undefined ? null : Math.max(pause, Math.min(retryAfter ?? 0, 1800) * 1000);
}
