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
let running = 0;

function startJobs(): void {
  while (running < AT_ONCE) {
    const first = waiting.findIndex(({ isFirst }) => isFirst);
    const [job] = waiting.splice(Math.max(0, first), 1);
    if (!job) return;
    if (!job.cancelled) run(job);
  }
}

/** Makes one preview in a worker of its own. If that fails to load or runs out of memory, only this file has no preview. */
function run({ file, done }: Job): void {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  const end = (answer: PreviewAnswer) => {
    worker.terminate();
    running -= 1;
    done(answer);
    startJobs();
  };
  running += 1;
  worker.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => end(data));
  worker.addEventListener('error', () => end({}));
  worker.postMessage(file);
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
  if (isFirst) one.job.isFirst = true;
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
