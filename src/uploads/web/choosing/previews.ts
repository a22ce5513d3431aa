import { useCallback, useSyncExternalStore } from 'react';
import type { PreviewAnswer } from './preview-worker.ts';

/** A small upright preview of a selected file, with its own width and height. */
export interface Preview {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** The most previews made at once, since decoding 50 megapixels takes 200 MB. */
const AT_ONCE = 2;

interface Job {
  readonly file: File;
  readonly done: (answer: PreviewAnswer) => void;
  /** It is made before the others that wait. */
  isFirst: boolean;
  cancelled: boolean;
}

const waiting: Job[] = [];
const running = new Map<number, Job>();
let last = 0;
let worker: Worker | null = null;

function startJobs(): void {
  while (running.size < AT_ONCE) {
    const job = waiting.shift();
    if (!job) break;
    if (job.cancelled) continue;
    worker ??= startWorker();
    last += 1;
    running.set(last, job);
    worker.postMessage({ id: last, file: job.file });
  }
  // Stop the idle worker to free its memory.
  if (running.size === 0) stopWorker();
}

function startWorker(): Worker {
  const started = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
    const job = running.get(data.id);
    running.delete(data.id);
    job?.done(data);
    startJobs();
  });
  // The worker failed to load, or ran out of memory. It may no longer answer.
  started.addEventListener('error', () => {
    if (worker === started) replaceWorker();
  });
  return started;
}

function stopWorker(): void {
  worker?.terminate();
  worker = null;
}

/** The files that the worker was at get no preview, since one of them may be what made it fail. */
function replaceWorker(): void {
  stopWorker();
  const failed = [...running];
  running.clear();
  for (const [id, job] of failed) job.done({ id });
  startJobs();
}

/** The preview of a file that several parts of the page may show: it is made once. */
interface SharedPreview {
  readonly job: Job;
  /** Each is called when the preview is made. */
  readonly viewers: Set<() => void>;
  preview: Preview | null | undefined;
}

const shared = new Map<File, SharedPreview>();

/** Orders the preview of a file, unless another part of the page shows it already. */
function sharePreview(file: File): SharedPreview {
  const known = shared.get(file);
  if (known) return known;
  const done = ({ blob, width = 1, height = 1 }: PreviewAnswer) => {
    if (job.cancelled) return;
    one.preview = blob ? { url: URL.createObjectURL(blob), width, height } : null;
    for (const show of one.viewers) show();
  };
  const job: Job = { file, done, isFirst: false, cancelled: false };
  const one: SharedPreview = { job, viewers: new Set(), preview: undefined };
  shared.set(file, one);
  waiting.push(job);
  return one;
}

/** Moves a job that waits before those that are not first. */
function makeFirst(job: Job): void {
  job.isFirst = true;
  const at = waiting.indexOf(job);
  if (at === -1) return;
  waiting.splice(at, 1);
  const others = waiting.findIndex(({ isFirst }) => !isFirst);
  waiting.splice(others === -1 ? waiting.length : others, 0, job);
}

/**
 * The preview of a file; undefined while it is made, null where the browser cannot show it. Its URL goes with the last
 * that shows it.
 * @param isFirst whether it is made before the others that wait
 */
export function usePreview(file: File | undefined, isFirst = false): Preview | null | undefined {
  const view = useCallback((show: () => void) => viewPreview(file, isFirst, show), [file, isFirst]);
  return useSyncExternalStore(view, () => (file ? shared.get(file)?.preview : undefined));
}

/** Returns a function that ends the view. */
function viewPreview(file: File | undefined, isFirst: boolean, show: () => void): () => void {
  if (!file) return () => undefined;
  const one = sharePreview(file);
  if (isFirst) makeFirst(one.job);
  startJobs();
  one.viewers.add(show);
  return () => {
    one.viewers.delete(show);
    if (one.viewers.size > 0) return;
    one.job.cancelled = true;
    shared.delete(file);
    if (one.preview) URL.revokeObjectURL(one.preview.url);
  };
}
