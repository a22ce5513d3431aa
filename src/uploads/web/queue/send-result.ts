import type { Problem } from '../../../base/problem.ts';
import type { Attempt } from '../../upload-queue.ts';

/** A photo to send: its id in the queue, its file, and its key, date and caption. */
export interface OutgoingPhoto {
  readonly id: string;
  readonly file: File;
  readonly attempt: Attempt;
}

/** The result of sending a photo. */
export type SendResult =
  | { readonly is: 'kept' }
  | {
      readonly is: 'refused';
      /** The server's message. */
      readonly reason: string | null;
      /** Whether it may be accepted later, because the server or a proxy before it failed (5xx). */
      readonly mayPass: boolean;
    }
  /** The server asks to retry, after `retryAfter` seconds. */
  | {
      readonly is: 'busy';
      readonly retryAfter: number | null;
      readonly reason: string | null;
      /** Whether an earlier attempt, whose response was lost, is still running. */
      readonly isStillRunning: boolean;
    }
  | { readonly is: 'broken' }
  | { readonly is: 'signed-out' }
  | { readonly is: 'aborted' };

/** A response from XMLHttpRequest, fetch or tus; status 0 if there was none. */
export interface HttpResult {
  /**
   * Whether a successful response says that the photo is saved. Something between here and the server may answer too,
   * such as a proxy with a maintenance page, and what is saved is deleted here.
   */
  readonly confirms: boolean;
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | null;
}

/** Turns a response into a result. */
export function toSendResult({ status, body, header, confirms }: HttpResult): SendResult {
  if (status >= 200 && status < 300) return { is: confirms ? 'kept' : 'broken' };
  // No answer arrived.
  if (status === 0) return { is: 'broken' };
  // The album had it already, and it was deleted there. A proxy's own 410 doesn't say so.
  if (status === 410 && isProblem(header)) return { is: 'kept' };
  // Of a suspended space too: what is not sent yet waits on this device.
  if (status === 401 || (status === 403 && problemOf(body)?.type === 'suspended')) return { is: 'signed-out' };
  const after = header('retry-after');
  const reason = messageOf(body);
  const isStillRunning = status === 409 && after !== null;
  if (isStillRunning || status === 429 || status === 503) {
    const seconds = Number(after ?? Number.NaN);
    return { is: 'busy', retryAfter: Number.isFinite(seconds) ? seconds : null, reason, isStillRunning };
  }
  return { is: 'refused', reason, mayPass: status >= 500 };
}

const isProblem = (header: HttpResult['header']) => /^application\/problem\+json\b/i.test(header('content-type') ?? '');

function messageOf(body: string): string | null {
  return problemOf(body)?.message ?? null;
}

function problemOf(body: string): Partial<Problem> | null {
  return parseJson(body) as Partial<Problem> | null;
}

/** Parses a response's body; null if it is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
