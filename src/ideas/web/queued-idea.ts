import { formatInstant } from '../../base/time.ts';
import { type KeptCall, keptCall, sentAs } from '../../base/web/outbox.ts';
import type { DateIdea } from '../contract.ts';
import type { ideaBody } from '../form-rules.ts';

/**
 * What stands for an idea that was added offline: while it waits the idea as it will be, once it is sent its id on the
 * server; undefined where this device knows nothing of it.
 */
export async function findQueuedIdea(id: string): Promise<DateIdea | string | undefined> {
  const sent = await sentAs(id);
  if (sent !== undefined) return sent;
  const kept = await keptCall(id);
  return kept?.name === 'POST /api/DateIdeas' ? ideaOf(kept) : undefined;
}

function ideaOf({ id, body, keptAt }: KeptCall): DateIdea {
  const at = formatInstant(keptAt);
  const { title, description = null, category, isActive } = body as ReturnType<typeof ideaBody>;
  return {
    ...{ id, title, description, category, isActive },
    ...{ plannedDatesCount: 0, lastPlannedDate: null, createdAt: at, updatedAt: at },
  };
}
