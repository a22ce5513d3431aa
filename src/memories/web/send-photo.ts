import { fillPath, splitName } from '../../base/call.ts';
import type { Problem } from '../../base/refusal.ts';
import { authorization } from '../../base/web/api.ts';
import type { memoryCalls } from '../contract.ts';
import type { Attempt } from '../upload-queue.ts';

/** What became of a photograph that was sent. */
export type Sent =
  | { readonly is: 'kept' }
  /** The server will not have it, and why. */
  | { readonly is: 'refused'; readonly reason: string | null }
  /** The server asks to be tried again, after so many seconds. */
  | { readonly is: 'busy'; readonly retryAfter: number | null; readonly reason: string | null }
  | { readonly is: 'broken' }
  | { readonly is: 'signed-out' }
  | { readonly is: 'aborted' };

const CALL: keyof typeof memoryCalls = 'POST /api/Memories';

/** A connection over which nothing has moved for so long counts as broken; the server's own work takes its time. */
const STALLED_MS = 45_000;
const THINKING_MS = 180_000;

/** The spec's climb, for browsers that give no progress: every tick a step, in shares of the whole (spec 9). */
const TICK_MS = 150;
const step = () => 0.05 + Math.random() * 0.15;

/**
 * Sends one photograph, by XMLHttpRequest, since `fetch` tells nothing of bytes on their way. `onShare` hears the share
 * that is sent, 0 to 1. It never throws; `signal` takes it back.
 */
export function sendPhoto(
  file: File,
  { key, dateId, caption }: Attempt,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Sent> {
  const { method, path } = splitName(CALL);
  const request = new XMLHttpRequest();
  request.open(method, fillPath(path, {}));
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('idempotency-key', key);
  for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);

  return new Promise<Sent>((resolve) => {
    const stopClimbing = climb(onShare);
    const watch = stallWatch(() => request.abort());
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      watch.moved(STALLED_MS);
      if (!lengthComputable) return;
      stopClimbing();
      onShare(loaded / total);
    };
    request.upload.onload = () => watch.moved(THINKING_MS);
    request.onloadend = () => {
      stopClimbing();
      watch.stop();
      signal.removeEventListener('abort', abort);
      resolve(signal.aborted ? { is: 'aborted' } : outcomeOf(request));
    };
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    watch.moved(STALLED_MS);
    request.send(formOf(file, dateId, caption));
  });
}

/** The fields come before the file, so that the server knows where it belongs before it streams. */
function formOf(file: File, dateId: string, caption: string): FormData {
  const form = new FormData();
  form.append('PlannedDateId', dateId);
  if (caption !== '') form.append('Caption', caption);
  form.append('ImageFile', file, file.name);
  return form;
}

function outcomeOf(request: XMLHttpRequest): Sent {
  const { status } = request;
  if (status === 200 || status === 201) return { is: 'kept' };
  if (status === 0) return { is: 'broken' };
  if (status === 401) return { is: 'signed-out' };
  const after = request.getResponseHeader('retry-after');
  const reason = messageOf(request.responseText);
  // 409 with Retry-After: an earlier try whose answer was lost is still being worked on (contract 1, Retrying).
  if (status === 429 || status === 503 || (status === 409 && after !== null)) {
    const seconds = Number(after ?? Number.NaN);
    return { is: 'busy', retryAfter: Number.isFinite(seconds) ? seconds : null, reason };
  }
  return { is: 'refused', reason };
}

function messageOf(body: string): string | null {
  try {
    return (JSON.parse(body) as Partial<Problem>).message ?? null;
  } catch {
    return null;
  }
}

/** Lets the share climb by chance until real figures come; answers how to end it. */
function climb(onShare: (share: number) => void): () => void {
  let share = 0;
  const timer = setInterval(() => {
    share = Math.min(1, share + step());
    onShare(share);
  }, TICK_MS);
  return () => clearInterval(timer);
}

function stallWatch(stalled: () => void): { moved: (within: number) => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    moved: (within) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, within);
    },
    stop: () => clearTimeout(timer),
  };
}
