import type { CoupleId, UserId } from '../../ids.ts';

/** The signed-in user of a request, from the bearer token, or for photos from the cookie. */
export interface Session {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
  readonly sessionId: string;
}
