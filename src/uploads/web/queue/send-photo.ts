import { fillPath, splitName } from '../../../base/call.ts';
import { authorization } from '../../../base/web/api.ts';
import { memoryLimits, UNREADABLE } from '../../../memories/rules.ts';
import type { uploadCalls } from '../../contract.ts';
import { type Outgoing, outcomeOf, type Sent, STALLED_MS, stallWatch, THINKING_MS } from './send-result.ts';

const CALL: keyof typeof uploadCalls = 'POST /api/Memories';

/** The spec's climb, for browsers that give no progress: every tick a step, in shares of the whole (spec 9). */
const TICK_MS = 150;
const step = () => 0.05 + Math.random() * 0.15;

/**
 * Sends one photograph: whole, or in pieces where it is large (issue 4). `onShare` hears the share that is sent,
 * 0 to 1. It never throws; `signal` takes it back.
 */
export async function sendPhoto(photo: Outgoing, onShare: (share: number) => void, signal: AbortSignal): Promise<Sent> {
  const isLarge = photo.file.size > memoryLimits.pieceBytes;
  const sent = await (isLarge ? inPieces : sendWhole)(photo, onShare, signal);
  // A file that the device has taken back (a phone does) looks to the sender like a broken connection.
  return sent.is === 'broken' && !(await canBeRead(photo.file)) ? { is: 'refused', reason: UNREADABLE } : sent;
}

async function canBeRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    await file.slice(-1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

async function inPieces(...sending: Parameters<typeof sendPhoto>): Promise<Sent> {
  // It is not on the first page's way; without a connection it can't be had, nor anything be sent.
  const pieces = await import('./send-in-parts.ts').catch(() => null);
  return pieces === null ? { is: 'broken' } : pieces.sendInPieces(...sending);
}

/** By XMLHttpRequest, since `fetch` tells nothing of bytes on their way. */
function sendWhole({ file, attempt }: Outgoing, onShare: (share: number) => void, signal: AbortSignal): Promise<Sent> {
  const { method, path } = splitName(CALL);
  const request = new XMLHttpRequest();
  request.open(method, fillPath(path, {}));
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('idempotency-key', attempt.key);
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
      const { status, responseText: body } = request;
      const told = { status, body, header: (name: string) => request.getResponseHeader(name) };
      resolve(signal.aborted ? { is: 'aborted' } : outcomeOf(told));
    };
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    watch.moved(STALLED_MS);
    request.send(formOf(file, attempt.dateId, attempt.caption));
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

/** Lets the share climb by chance until real figures come; answers how to end it. */
function climb(onShare: (share: number) => void): () => void {
  let share = 0;
  const timer = setInterval(() => {
    share = Math.min(1, share + step());
    onShare(share);
  }, TICK_MS);
  return () => clearInterval(timer);
}
