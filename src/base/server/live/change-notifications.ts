import { z } from 'zod';
import type { Change } from '../../change.ts';
import type { CoupleId, UserId } from '../../ids.ts';

/** How nodes tell each other about changes: PostgreSQL's channels and the payloads of NOTIFY (decision 27). */

/** The channel of one couple. Only nodes with an open page of the couple listen to it. */
export function channelOf(coupleId: CoupleId): string {
  return `our_love_story_${coupleId}`;
}

/** A change that both partners may know. */
interface SharedChange {
  readonly coupleId: CoupleId;
  readonly change: Change;
}

/**
 * A change that one partner may know. It has no `change`, so that nodes of older releases, which would send it to both
 * partners, ignore it.
 */
interface PrivateChange {
  readonly coupleId: CoupleId;
  readonly privateChange: Change;
  readonly only: UserId;
}

export type ChangeNotification = SharedChange | PrivateChange;

const coupleId = z.uuid().transform((id) => id as CoupleId);
const userId = z.uuid().transform((id) => id as UserId);
const change = z.object({
  entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
  id: z.uuid(),
  action: z.enum(['created', 'updated', 'deleted']),
  by: userId,
});
/**
 * The payload of a NOTIFY. Every user of the database can send one, and newer versions may add fields: unknown fields are
 * dropped, and invalid payloads are ignored.
 */
const notification = z.union([
  z.object({ coupleId, change }),
  z.object({ coupleId, privateChange: change, only: userId }),
]) satisfies z.ZodType<ChangeNotification>;

/** Returns the notification in a payload, or null if it is invalid. */
export function parseNotification(payload: string | undefined): ChangeNotification | null {
  try {
    return notification.safeParse(JSON.parse(payload ?? '')).data ?? null;
  } catch {
    return null;
  }
}
