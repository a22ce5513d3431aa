import { useEffect, useState } from 'react';
import type { PreviewAnswer } from './preview-worker.ts';

/** A small picture of a chosen file, upright; width and height are its own. */
export interface Preview {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** A photograph of 50 megapixels takes 200 MB while it is being decoded: no more than so many at once. */
const AT_ONCE = 2;

/** How often a file is given to a worker. Then it has no preview: it may be what ends the workers. */
const TRIES = 2;

interface Order {
  readonly file: File;
  readonly done: (answer: PreviewAnswer) => void;
  takenBack: boolean;
  tries: number;
}

const waiting: Order[] = [];
const working = new Map<number, Order>();
let last = 0;
let worker: Worker | null = null;

function workOn(): void {
  while (working.size < jobsAtOnce()) {
    const order = waiting.shift();
    if (!order) break;
    if (order.takenBack) continue;
    worker ??= startWorker();
    last += 1;
    order.tries += 1;
    working.set(last, order);
    worker.postMessage({ id: last, file: order.file });
  }
  // Nothing left to do: its memory is given back.
  if (working.size === 0) stopWorker();
}

/** A file whose worker failed is tried again alone, so that it does not cost another file its preview. */
function jobsAtOnce(): number {
  const isRetry = [...working.values()].some(({ tries }) => tries > 1) || (waiting[0]?.tries ?? 0) > 0;
  return isRetry ? 1 : AT_ONCE;
}

function startWorker(): Worker {
  const started = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
    const order = working.get(data.id);
    working.delete(data.id);
    order?.done(data);
    workOn();
  });
  // It could not be loaded, or a picture was too much for it: it may be dead, and would answer nothing any more.
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
  const orders = [...working];
  working.clear();
  waiting.unshift(...orders.map(([, order]) => order).filter(({ tries }) => tries < TRIES));
  for (const [id, order] of orders) if (order.tries >= TRIES) order.done({ id });
  workOn();
}

/** Orders a preview; answers how to take the order back. */
function orderPreview(file: File, done: Order['done']): () => void {
  const order: Order = { file, done, takenBack: false, tries: 0 };
  waiting.push(order);
  workOn();
  return () => {
    order.takenBack = true;
  };
}

/** The preview of a file; undefined while it is made, null where the browser cannot show it. Its URL goes with it. */
export function usePreview(file: File | undefined): Preview | null | undefined {
  const [preview, setPreview] = useState<Preview | null>();
  useEffect(() => {
    if (!file) return undefined;
    let url: string | undefined;
    let gone = false;
    const takeBack = orderPreview(file, ({ blob, width = 1, height = 1 }) => {
      if (gone) return;
      url = blob && URL.createObjectURL(blob);
      setPreview(url === undefined ? null : { url, width, height });
    });
    return () => {
      gone = true;
      takeBack();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [file]);
  return preview;
}
