import { userId } from '../../auth/web/session/session.ts';
import { formatInstant } from '../../base/instants.ts';
import { keptCall, sentAs } from '../../base/web/storage/outbox.ts';
import type { KeptCall } from '../../base/web/storage/outbox-database.ts';
import type { DateIdea } from '../contract.ts';
import type { ideaBody } from '../form-rules.ts';
import { NO_HEARTS } from '../hearts.ts';

/**
 * Looks up an idea that this user added offline.
 * @returns the idea while it is queued, its server id once it has been sent, or undefined if it is unknown here
 */
export async function findQueuedIdea(id: string): Promise<DateIdea | string | undefined> {
  const sent = await sentAs(id);
  if (sent !== undefined) return sent;
  const owner = userId();
  const call = owner === null ? undefined : await keptCall(owner, id);
  return call?.name === 'POST /api/DateIdeas' ? ideaOf(call) : undefined;
}

function ideaOf({ id, body, keptAt }: KeptCall): DateIdea {
  const at = formatInstant(keptAt);
  const { title, description = null, category, isActive } = body as ReturnType<typeof ideaBody>;
  return {
    id,
    title,
    description,
    category,
    isActive,
    plannedDatesCount: 0,
    lastPlannedDate: null,
    hearts: NO_HEARTS,
    createdAt: at,
    updatedAt: at,
  };
}
