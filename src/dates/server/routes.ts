import type { CoupleId } from '../../base/ids.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { created, etagOf, tagged } from '../../base/server/answer.ts';
import { cacheUntilCommit } from '../../base/server/commit-cache.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { assertMatches } from '../../base/server/if-match.ts';
import type { Routes, Session } from '../../base/server/serve.ts';
import type { PlanCounts } from '../../ideas/server/routes.ts';
import { findIdea, lockIdea } from '../../ideas/server/store.ts';
import { endTimeError, startTimeError } from '../complete-rules.ts';
import type { dateCalls } from '../contract.ts';
import type { DateAction } from '../rules.ts';
import { allows, plannedTimeError, REFUSED, STATUSES, TIME_ERRORS } from '../rules.ts';
import { tooEarlyError, undoRefusal, wentErrors, wentTimes } from '../went-rules.ts';
import { calendarRoutes } from './calendar-routes.ts';
import type { DateChanges, DateRow, DateWithIdea, PlanFields } from './store.ts';
import {
  changeDate,
  countPlans,
  datesAhead,
  datesOfStatus,
  findDateRow,
  insertDate,
  lockDate,
  readBusyIdeas,
  trashDate,
} from './store.ts';
import type { DateMemories } from './views.ts';
import { readAllDates, readDate, readNextDate, viewOfNew, viewsOf } from './views.ts';

/** Effectively no limit. */
const NO_LIMIT = 2_147_483_647;

/** The port through which the ideas slice counts dates. */
export const planCounts: PlanCounts = { countByIdea: countPlans, busyIdeas: readBusyIdeas };

/** Computes the changes of a state call or an edit from the current row. */
type Change = (before: DateRow) => DateChanges;

/** The routes for planned dates (spec 7, contract 3). */
export function dateRoutes(deps: Deps, photos: DateMemories): Routes<typeof dateCalls> {
  const { db, announce } = deps;
  const assertExists = async ({ params, session }: { params: { id: string }; session: Session }) => {
    if (!(await findDateRow(db.read, session.coupleId, params.id))) throw notFound('Planned date');
  };

  const replyWith = async (reader: Reader, coupleId: CoupleId, id: string) => {
    const found = await readDate(reader, photos, coupleId, id);
    if (!found) throw notFound('Planned date');
    return tagged(found.date, etagOf({ id, version: found.version }));
  };

  /** Locks the date and checks existence (404), the request (400), its status (409) and the ETag (412), in this order. */
  const lockFor = async (
    tx: Writer,
    action: DateAction,
    { params, session, ifMatch }: DateRequest,
    { validate, forbid }: Checks = {},
  ) => {
    const before = await lockDate(tx, session.coupleId, params.id);
    if (!before) throw notFound('Planned date');
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
    { coupleId, userId }: Session,
  ) => announce(tx, coupleId, { entity: 'plannedDate', id, action, by: userId });

  /** Runs a PUT or a state call in one transaction. @returns the changed date */
  const change = (dateRequest: DateRequest, action: DateAction, to: Change, checks?: Checks) => {
    const { coupleId } = dateRequest.session;
    return db.write(async (tx) => {
      const before = await lockFor(tx, action, dateRequest, checks);
      const changed = await changeDate(tx, coupleId, before, to(before), dateRequest.now);
      if (changed) await announceDate(tx, 'updated', before.id, dateRequest.session);
      return replyWith(tx, coupleId, before.id);
    });
  };

  const listOf = async (coupleId: CoupleId, rows: Promise<readonly DateWithIdea[]>) =>
    viewsOf(db.read, photos, coupleId, await rows);

  const ofStatus = (coupleId: CoupleId, status: 'Completed' | 'InProgress') =>
    listOf(coupleId, datesOfStatus(db.read, { coupleId, status }));

  const all = cacheUntilCommit(db, (coupleId) => readAllDates(db.read, photos, coupleId));
  const completed = cacheUntilCommit(db, (coupleId) => ofStatus(coupleId, 'Completed'));

  return {
    ...calendarRoutes(deps),

    'GET /api/PlannedDates': ({ session }) => all(session.coupleId),

    'POST /api/PlannedDates': {
      checkReferences: async ({ request, session }, raw) => {
        const id = ideaIdOf(raw);
        if (id === undefined) return;
        // A retry must get its first reply again, even if the idea has been deleted since.
        const includeDeleted = request.headers['idempotency-key'] !== undefined;
        if (!isId(id) || !(await findIdea(db.read, session.coupleId, id, { includeDeleted })))
          throw notFound('Date idea');
      },
      handle: async ({ body, session, now, create }) => {
        assertPlan(body, now);
        return create(async (tx) => {
          // Lock the idea, so that it isn't deleted or deactivated while a date is planned from it.
          const idea = await lockIdea(tx, session.coupleId, body.dateIdeaId);
          if (!idea) throw notFound('Date idea');
          if (idea.isActive === 0) throw new Refusal(409, 'This date idea is not active and cannot be planned.');
          const row = await insertDate(tx, session.coupleId, idea.id, body, now);
          await announceDate(tx, 'created', row.id, session);
          const { title, description, category } = idea;
          const date = await viewOfNew(tx, session.coupleId, { ...row, title, description, category });
          return created(date, `/api/PlannedDates/${row.id}`, etagOf(row));
        });
      },
    },

    'GET /api/PlannedDates/upcoming': ({ session: { coupleId }, now }) =>
      listOf(coupleId, datesAhead(db.read, { coupleId, now, limit: NO_LIMIT })),

    'GET /api/PlannedDates/completed': ({ session }) => completed(session.coupleId),

    'GET /api/PlannedDates/in-progress': ({ session }) => ofStatus(session.coupleId, 'InProgress'),

    'GET /api/PlannedDates/next': ({ session, now }) => readNextDate(db.read, photos, session.coupleId, now),

    'GET /api/PlannedDates/statuses': async () => STATUSES.map((status) => ({ ...status })),

    'GET /api/PlannedDates/{id}': ({ params, session }) => replyWith(db.read, session.coupleId, params.id),

    'PUT /api/PlannedDates/{id}': {
      find: assertExists,
      handle: async (dateRequest) => {
        const { plannedDateTime, endDateTime, location, notes } = dateRequest.body;
        assertPlan(dateRequest.body, dateRequest.now);
        return change(dateRequest, 'edit', () => ({ plannedDateTime, endDateTime, location, notes }));
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
      handle: (dateRequest) => {
        const { session, now } = dateRequest;
        const to = (went: DateRow): DateChanges => ({
          status: 'Planned',
          actualStartTime: null,
          actualEndTime: null,
          notes: went.notesBeforeWent,
          updatedAt: went.updatedAtBeforeWent ?? now,
        });
        return change(dateRequest, 'undoWent', to, { forbid: (went) => undoRefusal(went, session.userId, now) });
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
  /** Throws 400 for the request. This comes before the 409 for the status. */
  readonly validate?: (before: DateRow) => void;
  /** Returns why the row forbids the call (409), or undefined. This comes after the status. */
  readonly forbid?: (before: DateRow) => string | undefined;
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
