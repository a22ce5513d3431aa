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

interface Order {
  readonly file: File;
  readonly done: (answer: PreviewAnswer) => void;
  takenBack: boolean;
}

const waiting: Order[] = [];
const working = new Map<number, Order>();
let last = 0;
let worker: Worker | null = null;

function workOn(): void {
  while (working.size < AT_ONCE) {
    const order = waiting.shift();
    if (!order) break;
    if (order.takenBack) continue;
    worker ??= hire();
    last += 1;
    working.set(last, order);
    worker.postMessage({ id: last, file: order.file });
  }
  // Nothing left to do: its memory is given back.
  if (working.size === 0) {
    worker?.terminate();
    worker = null;
  }
}

function hire(): Worker {
  const hired = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  const answer = (data: PreviewAnswer) => {
    const order = working.get(data.id);
    working.delete(data.id);
    order?.done(data);
    workOn();
  };
  hired.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => answer(data));
  // It could not be started, or a picture was too much for it: the prints stay blank.
  hired.addEventListener('error', () => {
    for (const id of [...working.keys()]) answer({ id });
  });
  return hired;
}

/** Orders a preview; answers how to take the order back. */
function orderPreview(file: File, done: Order['done']): () => void {
  const order: Order = { file, done, takenBack: false };
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
