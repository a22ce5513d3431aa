import { fillPath, splitName } from '../../../base/call.ts';
import { authorization } from '../../../base/web/net/access-token.ts';
import { hasId } from '../../../base/web/net/check-saved-entity.ts';
import { memoryLimits, UNREADABLE } from '../../../memories/rules.ts';
import type { uploadCalls } from '../../contract.ts';
import { type OutgoingPhoto, parseJson, type SendResult, toSendResult } from './send-result.ts';
import { STALLED_MS, THINKING_MS, watchForStall } from './watch-for-stall.ts';

const CALL: keyof typeof uploadCalls = 'POST /api/Memories';

/** Simulated progress for browsers that report none: one step per tick, as a share of 1 (uploads.sending.4). */
const TICK_MS = 150;
const step = () => 0.05 + Math.random() * 0.15;

/**
 * Sends one photo: in one request, or in parts if it is large. It never throws; `signal` cancels it.
 * @param onShare called with the share that is sent, 0 to 1
 */
export async function sendPhoto(
  photo: OutgoingPhoto,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<SendResult> {
  const isLarge = photo.file.size > memoryLimits.partBytes;
  const sent = await (isLarge ? sendResumable : sendInOneRequest)(photo, onShare, signal);
  // If the device no longer has the file, which happens on phones, sending fails like a broken connection.
  return sent.is === 'broken' && !(await canBeRead(photo.file))
    ? { is: 'refused', reason: UNREADABLE, mayPass: false }
    : sent;
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

async function sendResumable(...sending: Parameters<typeof sendPhoto>): Promise<SendResult> {
  // Loaded on demand, to keep it out of the first page. Offline this fails, and nothing could be sent anyway.
  const pieces = await import('./send-in-parts.ts').catch(() => null);
  return pieces === null ? { is: 'broken' } : pieces.sendInParts(...sending);
}

/** Uses XMLHttpRequest, since `fetch` reports no upload progress. */
function sendInOneRequest(
  { file, attempt }: OutgoingPhoto,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<SendResult> {
  const { method, path } = splitName(CALL);
  const request = new XMLHttpRequest();
  request.open(method, fillPath(path, {}));
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('idempotency-key', attempt.key);
  for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value);

  return new Promise<SendResult>((resolve) => {
    const stopClimbing = climb(onShare);
    const watch = watchForStall(() => request.abort());
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
      const header = (name: string) => request.getResponseHeader(name);
      const told = { status, body, header, confirms: hasId(parseJson(body)) };
      resolve(signal.aborted ? { is: 'aborted' } : toSendResult(told));
    };
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    watch.moved(STALLED_MS);
    request.send(formOf(file, attempt.dateId, attempt.caption));
  });
}

/** The fields come before the file, so that the server can check them first. */
function formOf(file: File, dateId: string, caption: string): FormData {
  const form = new FormData();
  form.append('PlannedDateId', dateId);
  if (caption !== '') form.append('Caption', caption);
  form.append('ImageFile', file, file.name);
  return form;
}

/** Simulates progress until real progress arrives. @returns a function that stops it */
function climb(onShare: (share: number) => void): () => void {
  let share = 0;
  const timer = setInterval(() => {
    share = Math.min(1, share + step());
    onShare(share);
  }, TICK_MS);
  return () => clearInterval(timer);
}
