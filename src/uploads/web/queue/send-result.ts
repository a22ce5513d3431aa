import type { Problem } from '../../../base/refusal.ts';
import type { Attempt } from '../../upload-queue.ts';

/** A photograph to be sent: the id it has in the queue, and under which key it goes where. */
export interface Outgoing {
  readonly id: string;
  readonly file: File;
  readonly attempt: Attempt;
}

/** What became of a photograph that was sent. */
export type Sent =
  | { readonly is: 'kept' }
  /** The server will not have it, and why. */
  | { readonly is: 'refused'; readonly reason: string | null }
  /** The server asks to be tried again, after so many seconds. */
  | {
      readonly is: 'busy';
      readonly retryAfter: number | null;
      readonly reason: string | null;
      /** An earlier try, whose answer was lost, is still being worked on (contract 1, Retrying). */
      readonly running: boolean;
    }
  | { readonly is: 'broken' }
  | { readonly is: 'signed-out' }
  | { readonly is: 'aborted' };

/** An answer, whatever brought it; status 0 where none came. */
export interface Told {
  readonly status: number;
  readonly body: string;
  readonly header: (name: string) => string | null;
}

/** What an answer says. */
export function outcomeOf({ status, body, header }: Told): Sent {
  if (status >= 200 && status < 300) return { is: 'kept' };
  if (status === 0) return { is: 'broken' };
  if (status === 401) return { is: 'signed-out' };
  const after = header('retry-after');
  const reason = messageOf(body);
  const running = status === 409 && after !== null;
  if (running || status === 429 || status === 503) {
    const seconds = Number(after ?? Number.NaN);
    return { is: 'busy', retryAfter: Number.isFinite(seconds) ? seconds : null, reason, running };
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

/** A connection over which nothing has moved for so long counts as broken; the server's own work takes its time. */
export const STALLED_MS = 45_000;
export const THINKING_MS = 180_000;

/** Tells when nothing has moved within the time that was last given. */
export function stallWatch(stalled: () => void): { moved: (within: number) => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    moved: (within) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, within);
    },
    stop: () => clearTimeout(timer),
  };
}
