import { useEffect, useState } from 'react';
import type { PreviewAnswer } from './preview-worker.ts';

/** A small upright preview of a selected file, with its own width and height. */
export interface Preview {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** The most previews made at once, since decoding 50 megapixels takes 200 MB. */
const AT_ONCE = 2;

/** The attempts per file. After that it gets no preview, since it may be what crashes the worker. */
const TRIES = 2;

interface Job {
  readonly file: File;
  readonly done: (answer: PreviewAnswer) => void;
  cancelled: boolean;
  tries: number;
}

const waiting: Job[] = [];
const running = new Map<number, Job>();
let last = 0;
let worker: Worker | null = null;

function startJobs(): void {
  while (running.size < jobsAtOnce()) {
    const job = waiting.shift();
    if (!job) break;
    if (job.cancelled) continue;
    worker ??= startWorker();
    last += 1;
    job.tries += 1;
    running.set(last, job);
    worker.postMessage({ id: last, file: job.file });
  }
  // Stop the idle worker to free its memory.
  if (running.size === 0) stopWorker();
}

/** A file whose worker crashed is retried without others, so that it does not cost another file its preview. */
function jobsAtOnce(): number {
  const isRetry = [...running.values()].some(({ tries }) => tries > 1) || (waiting[0]?.tries ?? 0) > 0;
  return isRetry ? 1 : AT_ONCE;
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

function replaceWorker(): void {
  stopWorker();
  const jobs = [...running];
  running.clear();
  waiting.unshift(...jobs.map(([, job]) => job).filter(({ tries }) => tries < TRIES));
  for (const [id, job] of jobs) if (job.tries >= TRIES) job.done({ id });
  startJobs();
}

/** Orders a preview; answers how to take the job back. */
function requestPreview(file: File, done: Job['done']): () => void {
  const job: Job = { file, done, cancelled: false, tries: 0 };
  waiting.push(job);
  startJobs();
  return () => {
    job.cancelled = true;
  };
}

/** The preview of a file; undefined while it is made, null where the browser cannot show it. Its URL goes with it. */
export function usePreview(file: File | undefined): Preview | null | undefined {
  const [preview, setPreview] = useState<Preview | null>();
  useEffect(() => {
    if (!file) return undefined;
    let url: string | undefined;
    let gone = false;
    const cancel = requestPreview(file, ({ blob, width = 1, height = 1 }) => {
      if (gone) return;
      url = blob && URL.createObjectURL(blob);
      setPreview(url === undefined ? null : { url, width, height });
    });
    return () => {
      gone = true;
      cancel();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [file]);
  return preview;
}
