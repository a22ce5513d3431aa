import { notFound } from '../../../base/refusal.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { type IdeaColumns, type IdeaRow, insertIdea, lockIdea } from '../../../ideas/server/store.ts';
import { optionalTextsOf } from '../../optional-texts.ts';
import { insertDate } from '../date-store.ts';
import { assertPast } from './assert-times.ts';
import { creatingFromIdea, replyWithNew } from './create-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** Adds a date that has happened, with its idea if that is new (dates.past.1). */
export function addPastDate(deps: DateDeps): DateRoutes['POST /api/PlannedDates/past'] {
  return {
    ...creatingFromIdea(deps),
    handle: async ({ body, session, now, create }) => {
      const { actualStartTime, actualEndTime } = body;
      assertPast(body, now);
      return create(async (tx) => {
        const idea = await ideaFor(tx, session, body, now);
        const times = { plannedDateTime: actualStartTime, endDateTime: null, actualStartTime, actualEndTime };
        const fields = { status: 'Completed', ...times, ...optionalTextsOf(body) } as const;
        const row = await insertDate(tx, session, idea.id, fields, now);
        if (body.idea) {
          const change = { entity: 'dateIdea', id: idea.id, action: 'created', by: session.userId } as const;
          await deps.announce(tx, session.coupleId, change);
        }
        return replyWithNew(deps, tx, session, { row, surprise: null, idea, now });
      });
    },
  };
}

/** What a request says about the idea: the id of one of ours, or a new one, which is inactive unless it says otherwise. */
interface GivenIdea {
  readonly dateIdeaId?: string | null | undefined;
  readonly idea?:
    | (Omit<IdeaColumns, 'isActive'> & { readonly isActive?: boolean | null | undefined })
    | null
    | undefined;
}

/** The idea of the request, including an inactive one, or a new one. @throws Refusal 404 if it was deleted meanwhile */
async function ideaFor(
  tx: Writer,
  { coupleId }: Session,
  { dateIdeaId, idea }: GivenIdea,
  now: number,
): Promise<IdeaRow> {
  if (idea) return insertIdea(tx, coupleId, { ...idea, isActive: idea.isActive ?? false }, now);
  const ours = dateIdeaId ? await lockIdea(tx, coupleId, dateIdeaId) : undefined;
  if (!ours) throw notFound('Date idea');
  return ours;
}
