import { isId } from '../../../base/ids.ts';
import { notFound } from '../../../base/refusal.ts';
import { type Answer, created, tagged } from '../../../base/server/calls/answer.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { findIdea, type IdeaRow } from '../../../ideas/server/store.ts';
import type { PlannedDate } from '../../contract.ts';
import { dateVisibleTo } from '../../date-visible-to.ts';
import type { DateRow } from '../date-store.ts';
import type { SurpriseRow } from '../surprise-store.ts';
import { readDate, tagOf, viewOfNew } from '../views.ts';
import { announceDate } from './announce-date.ts';
import type { DateDeps, DateRoutes } from './date-deps.ts';

/** The steps of a call that creates a date from an idea: 404 for an unknown idea, and what a retry gets. */
export function creatingFromIdea({ db, photos }: DateDeps) {
  return {
    checkReferences: async ({ request, session }, raw) => {
      const id = ideaIdOf(raw);
      if (id === undefined) return;
      // A retry must get its first reply again, even if the idea has been deleted since.
      const includeDeleted = request.headers['idempotency-key'] !== undefined;
      if (!isId(id) || !(await findIdea(db.read, session.coupleId, id, { includeDeleted })))
        throw notFound('Date idea');
    },
    readAgain: async ({ session, now }, id) => {
      const found = await readDate(db.read, photos, session, { id, now });
      if (!found) return 'deleted';
      return found.isHidden ? 'hidden' : tagged(found.date, found.etag);
    },
  } satisfies Partial<DateRoutes['POST /api/PlannedDates']>;
}

function ideaIdOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('dateIdeaId' in raw)) return undefined;
  return typeof raw.dateIdeaId === 'string' ? raw.dateIdeaId : undefined;
}

/** A date that never was a surprise, as the join of the tables has it. */
const NO_SURPRISE = { surpriseBy: null, revealedAt: null, shownVersion: null, shownUpdatedAt: null };

/** Announces a date that this transaction has inserted, and replies 201 with it. @param surprise null if it is none */
export async function replyWithNew(
  deps: DateDeps,
  tx: Writer,
  session: Session,
  { row, surprise, idea, now }: { row: DateRow; surprise: SurpriseRow | null; idea: IdeaRow; now: number },
): Promise<Answer<PlannedDate>> {
  await announceDate(deps, tx, 'created', row.id, session);
  const { title, description, category } = idea;
  const stored = { ...row, ...(surprise ?? NO_SURPRISE), title, description, category };
  const date = dateVisibleTo(session.userId, stored, now);
  return created(await viewOfNew(tx, session, date, now), `/api/PlannedDates/${row.id}`, tagOf(date));
}
