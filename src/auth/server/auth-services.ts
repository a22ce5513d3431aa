import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Eraser } from './couple/deletion-sweep.ts';
import type { EventStreams } from './session/event-streams.ts';
import type { RateLimits } from './sign-in/rate-limits.ts';
import type { SetupCode } from './sign-in/setup-code.ts';

/** The services that the routes of this slice use. */
export interface AuthServices {
  readonly deps: Deps;
  readonly rateLimits: RateLimits;
  readonly events: EventStreams;
  readonly setup: SetupCode;
  readonly eraser: Eraser;
  readonly keepForPartner: KeepForPartner;
  readonly tellOfRecovery: TellOfRecovery;
}

/** The port through which other slices keep what belongs to both, before the account of a user who leaves is deleted. */
export type KeepForPartner = (tx: Writer, coupleId: CoupleId, userId: UserId) => Promise<void>;

/**
 * The port that tells a user's devices of a link for a new password that the partner made, in the transaction that makes
 * it. Times are in milliseconds.
 */
export type TellOfRecovery = (
  tx: Writer,
  coupleId: CoupleId,
  link: { readonly id: string; readonly createdBy: UserId; readonly forUser: UserId; readonly expiresAt: number },
  now: number,
) => Promise<void>;
