import type { CoupleId, UserId } from '../../base/ids.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { created, tagged } from '../../base/server/calls/answer.ts';
import { assertMatches } from '../../base/server/calls/if-match.ts';
import type { Routes, Session } from '../../base/server/calls/serve.ts';
import { cachePerPartnerUntilCommit } from '../../base/server/db/commit-cache.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/sight.ts';
import type { PlanCounts } from '../../ideas/server/routes.ts';
import { findIdea, lockIdea } from '../../ideas/server/store.ts';
import { endTimeError, startTimeError } from '../complete-rules.ts';
import type { dateCalls } from '../contract.ts';
import type { DateAction } from '../rules.ts';
import { allows, plannedTimeError, REFUSED, STATUSES, TIME_ERRORS } from '../rules.ts';
import { dateSeenBy, NOT_THE_PLANNER, type SeenDate } from '../surprises.ts';
import { tooEarlyError, undoRefusal, wentErrors, wentTimes } from '../went-rules.ts';
import { calendarRoutes } from './calendar-routes.ts';
import type { DateChanges, DateRow, PlanFields } from './store.ts';
import {
  changeDate,
  countPlans,
  dateExists,
  datesAhead,
  datesOfStatus,
  insertDate,
  lockDate,
  readBusyIdeas,
  trashDate,
} from './store.ts';
import {
  changeOfSurprise,
  findSurprise,
  readAsSeen,
  readSealed,
  readSight,
  refuseHidden,
  type SurpriseRow,
  saveSurprise,
} from './surprise-store.ts';
import type { DateMemories } from './views.ts';
import { readAllDates, readDate, readNextDate, tagOf, viewOfNew, viewsOf } from './views.ts';

/** Effectively no limit. */
const NO_LIMIT = 2_147_483_647;

/** The port through which the ideas slice counts dates. */
export const planCounts: PlanCounts = {
  readSight,
  countByIdea: (reader, viewer, now, ideaIds) =>
    readAsSeen(reader, viewer, now, (sight) => countPlans(reader, sight, ideaIds)),
  busyIdeas: (reader, viewer, now) => readAsSeen(reader, viewer, now, (sight) => readBusyIdeas(reader, sight)),
};

/**
 * The port through which the undo of 'We went!' takes back which milestones both partners have been shown since a moment,
 * if they are no longer reached. The statistics implement it.
 */
export type TakeBackCelebrations = (tx: Writer, coupleId: CoupleId, since: number) => Promise<void>;

/** Computes the changes of a state call or an edit from the current row. */
type Change = (before: DateRow) => DateChanges;

/** The routes for planned dates. */
export function dateRoutes(
  deps: Deps,
  photos: DateMemories,
  takeBackCelebrations: TakeBackCelebrations,
): Routes<typeof dateCalls> {
  const { db, announce } = deps;
  const assertExists = async ({ params, session }: { params: { id: string }; session: Session }) => {
    if (!(await dateExists(db.read, session.coupleId, params.id))) throw notFound('Planned date');
  };

  const replyWith = async (reader: Reader, viewer: Viewer, date: { readonly id: string; readonly now: number }) => {
    const found = await readDate(reader, photos, viewer, date);
    if (!found) throw notFound('Planned date');
    return tagged(found.date, found.etag);
  };

  /**
   * Locks the date and checks existence (404), that it isn't hidden from the partner (409), that the user may ask for this
   * (403), the request (400), its status (409) and the ETag (412), in this order.
   */
  const lockFor = async (
    tx: Writer,
    action: DateAction,
    { params, session, ifMatch, now }: DateRequest,
    { permit, validate, forbid }: Checks = {},
  ) => {
    const before = await lockDate(tx, session.coupleId, params.id);
    if (!before) throw notFound('Planned date');
    await refuseHidden(tx, session, before.id, now);
    permit?.(before);
    validate?.(before);
    const refusal = allows(before.status, action) ? forbid?.(before) : REFUSED[action];
    if (refusal !== undefined) throw new Refusal(409, refusal);
    assertMatches(ifMatch, before);
    return before;
  };

  const announceDate = (
    tx: Writer,
    action: 'created' | 'updated' | 'deleted',
    id: string,
    { coupleId, userId, only }: Session & { readonly only?: UserId | undefined },
  ) => announce(tx, coupleId, { entity: 'plannedDate', id, action, by: userId }, only);

  /**
   * Runs a PUT or a state call in one transaction. A change of a surprise that doesn't show is announced to its planner
   * alone.
   * @returns the changed date
   */
  const change = (
    dateRequest: DateRequest,
    action: DateAction,
    to: Change,
    { surprise, afterwards, ...checks }: Steps = {},
  ) => {
    const { session, now } = dateRequest;
    const { coupleId, userId } = session;
    return db.write(async (tx) => {
      const before = await lockFor(tx, action, dateRequest, checks);
      const known = (await findSurprise(tx, coupleId, before.id)) ?? null;
      const changes = to(before);
      const after = changeOfSurprise(
        { ...before, surprise: known },
        { ...before, ...changes },
        {
          wanted: surprise,
          by: userId,
          now,
        },
      );
      const isOther = known?.revealedAt !== after.surprise?.revealedAt;
      const changed = await changeDate(tx, coupleId, before, changes, now, isOther);
      if (changed) {
        if (after.surprise !== null) await saveSurprise(tx, coupleId, before.id, after.surprise);
        await afterwards?.(tx, before);
        await announceDate(tx, 'updated', before.id, { ...session, only: after.isShown ? undefined : userId });
      }
      return replyWith(tx, session, { id: before.id, now });
    });
  };

  const listOf = (viewer: Viewer, now: number, readRows: () => Promise<readonly SeenDate[]>) =>
    viewsOf(db.read, photos, viewer, { readRows, now });

  const ofStatus = (viewer: Viewer, status: 'Completed' | 'InProgress', now: number) =>
    listOf(viewer, now, () => datesOfStatus(db.read, viewer, status, now));

  /** Time reveals a surprise without a commit, so the lists are cached for the surprises that are sealed now. */
  const sealedNow = async ({ coupleId }: Viewer, now: number) => (await readSealed(db.read, coupleId, now)).join();
  const all = cachePerPartnerUntilCommit(db, (viewer, now) => readAllDates(db.read, photos, viewer, now), sealedNow);
  const completed = cachePerPartnerUntilCommit(db, (viewer, now) => ofStatus(viewer, 'Completed', now), sealedNow);

  return {
    ...calendarRoutes(deps),

    'GET /api/PlannedDates': ({ session, now }) => all(session, now),

    'POST /api/PlannedDates': {
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
      handle: async ({ body, session, now, create }) => {
        assertPlan(body, now);
        return create(async (tx) => {
          // Lock the idea, so that it isn't deleted or deactivated while a date is planned from it.
          const idea = await lockIdea(tx, session.coupleId, body.dateIdeaId);
          if (!idea) throw notFound('Date idea');
          if (idea.isActive === 0) throw new Refusal(409, 'This date idea is not active and cannot be planned.');
          const row = await insertDate(tx, session, idea.id, body, now);
          const surprise = body.surprise ? newSurprise(row, session.userId) : null;
          if (surprise !== null) await saveSurprise(tx, session.coupleId, row.id, surprise);
          await announceDate(tx, 'created', row.id, session);
          const { title, description, category } = idea;
          const stored = { ...row, ...(surprise ?? NO_SURPRISE), title, description, category };
          const seen = dateSeenBy(session.userId, stored, now);
          return created(await viewOfNew(tx, session, seen, now), `/api/PlannedDates/${row.id}`, tagOf(seen));
        });
      },
    },

    'GET /api/PlannedDates/upcoming': ({ session, now }) =>
      listOf(session, now, () => datesAhead(db.read, session, { now, limit: NO_LIMIT })),

    'GET /api/PlannedDates/completed': ({ session, now }) => completed(session, now),

    'GET /api/PlannedDates/in-progress': ({ session, now }) => ofStatus(session, 'InProgress', now),

    'GET /api/PlannedDates/next': ({ session, now }) => readNextDate(db.read, photos, session, now),

    'GET /api/PlannedDates/statuses': async () => STATUSES.map((status) => ({ ...status })),

    'GET /api/PlannedDates/{id}': ({ params: { id }, session, now }) => replyWith(db.read, session, { id, now }),

    'PUT /api/PlannedDates/{id}': {
      find: assertExists,
      handle: async (dateRequest) => {
        const { plannedDateTime, endDateTime, location, notes, surprise } = dateRequest.body;
        assertPlan(dateRequest.body, dateRequest.now);
        const permit = ({ plannedBy }: DateRow) => {
          if (surprise !== undefined && plannedBy !== dateRequest.session.userId) {
            throw new Refusal(403, NOT_THE_PLANNER);
          }
        };
        const to = () => ({ plannedDateTime, endDateTime, location, notes });
        return change(dateRequest, 'edit', to, { permit, surprise });
      },
    },

    'DELETE /api/PlannedDates/{id}': {
      find: assertExists,
      handle: async (dateRequest) => {
        const { coupleId, userId } = dateRequest.session;
        await db.write(async (tx) => {
          const { id } = await lockFor(tx, 'delete', dateRequest);
          await trashDate(tx, coupleId, id, userId, dateRequest.now);
          await photos.trashWithDate(tx, coupleId, id, dateRequest.now);
          await announceDate(tx, 'deleted', id, dateRequest.session);
        });
        return null;
      },
    },

    'POST /api/PlannedDates/{id}/start': {
      find: assertExists,
      handle: (dateRequest) =>
        change(dateRequest, 'start', () => ({ status: 'InProgress', actualStartTime: dateRequest.now })),
    },

    'POST /api/PlannedDates/{id}/complete': {
      find: assertExists,
      handle: ({ body, ...dateRequest }) => {
        const startOf = (before: DateRow) => body.actualStartTime ?? before.actualStartTime;
        return change(
          dateRequest,
          'complete',
          (before) => ({
            status: 'Completed',
            actualStartTime: startOf(before),
            actualEndTime: body.actualEndTime,
            notes: body.notes ? body.notes.text : before.notes,
          }),
          {
            validate: (before) => {
              const start = startOf(before);
              throwIfInvalid([
                ['actualStartTime', startTimeError(start)],
                ['actualEndTime', endTimeError(start, body.actualEndTime, dateRequest.now)],
              ]);
            },
          },
        );
      },
    },

    'POST /api/PlannedDates/{id}/went': {
      find: assertExists,
      handle: ({ body, ...dateRequest }) => {
        const { session, now } = dateRequest;
        const validate = (before: DateRow) => {
          const tooEarly = tooEarlyError(before, now);
          if (tooEarly !== undefined) throw new Refusal(400, tooEarly);
          throwIfInvalid(Object.entries(wentErrors(before, body, now)));
        };
        const to = (before: DateRow): DateChanges => {
          const { start, end } = wentTimes(before, body, now);
          return {
            status: 'Completed',
            actualStartTime: start,
            actualEndTime: end,
            notes: body.notes ? body.notes.text : before.notes,
            wentBy: session.userId,
            wentVersion: before.version + 1,
            notesBeforeWent: before.notes,
            updatedAtBeforeWent: before.updatedAt,
          };
        };
        return change(dateRequest, 'went', to, { validate });
      },
    },

    'POST /api/PlannedDates/{id}/went/undo': {
      find: assertExists,
      handle: ({ body, ...dateRequest }) => {
        const { session, now } = dateRequest;
        const to = (went: DateRow): DateChanges => ({
          status: 'Planned',
          actualStartTime: null,
          actualEndTime: null,
          notes: went.notesBeforeWent,
          updatedAt: went.updatedAtBeforeWent ?? now,
        });
        return change(dateRequest, 'undoWent', to, {
          forbid: (went) => undoRefusal(went, session.userId, now),
          afterwards: async (tx, went) => {
            if (!body.newTimes) await takeBackCelebrations(tx, session.coupleId, went.updatedAt);
          },
        });
      },
    },

    'POST /api/PlannedDates/{id}/cancel': {
      find: assertExists,
      handle: (dateRequest) => change(dateRequest, 'cancel', () => ({ status: 'Cancelled' })),
    },
  };
}

interface DateRequest {
  readonly params: { readonly id: string };
  readonly session: Session;
  readonly now: number;
  readonly ifMatch: string | undefined;
}

/** The checks of a call against the current row, besides its status. */
interface Checks {
  /** Throws 403 for what only one partner may ask for. This comes after the 409 for a hidden date. */
  readonly permit?: (before: DateRow) => void;
  /** Throws 400 for the request. This comes before the 409 for the status. */
  readonly validate?: (before: DateRow) => void;
  /** Returns why the row forbids the call (409), or undefined. This comes after the status. */
  readonly forbid?: (before: DateRow) => string | undefined;
}

/** What else a change checks and does. */
interface Steps extends Checks {
  /** Whether the request wants it to be a surprise. */
  readonly surprise?: boolean | undefined;
  /** Runs in the transaction, once the date is changed. */
  readonly afterwards?: (tx: Writer, before: DateRow) => Promise<void>;
}

/** A date that never was a surprise, as the join of the tables has it. */
const NO_SURPRISE = { surpriseBy: null, revealedAt: null, shownVersion: null, shownUpdatedAt: null };

function newSurprise({ version, updatedAt }: DateRow, surpriseBy: UserId): SurpriseRow {
  return { surpriseBy, revealedAt: null, shownVersion: version, shownUpdatedAt: updatedAt };
}

function ideaIdOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('dateIdeaId' in raw)) return undefined;
  return typeof raw.dateIdeaId === 'string' ? raw.dateIdeaId : undefined;
}

/** Rejects planned times outside of the allowed range, or an end that is not after the start. */
function assertPlan({ plannedDateTime, endDateTime }: PlanFields, now: number): void {
  const endsEarly = endDateTime !== null && endDateTime <= plannedDateTime;
  throwIfInvalid([
    ['plannedDateTime', plannedTimeError(plannedDateTime, now)],
    ['endDateTime', endsEarly ? TIME_ERRORS.endBeforeStart : undefined],
  ]);
}

/** Throws 400 if any field has an error. */
function throwIfInvalid(errorsByField: readonly [field: string, message: string | undefined][]): void {
  const errors = errorsByField.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
  if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join(' '), { errors });
}
