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
import { calendarRoutes } from './calendar-routes.ts';
import type { DateChanges, DateRow, ListedDate, PlanFields } from './store.ts';
import {
  changeDate,
  countPlans,
  datesAhead,
  datesOfStatus,
  findDateRow,
  insertDate,
  lockDate,
  trashDate,
} from './store.ts';
import type { DateMemories } from './views.ts';
import { readAllDates, readDate, readNextDate, viewsOf } from './views.ts';

/** A limit that no couple's list reaches. */
const ALL = 2_147_483_647;

/** What ideas want to know of dates. */
export const planCounts: PlanCounts = { countByIdea: countPlans };

/** What a state call or an edit makes of the date as it is. */
type Change = (before: DateRow) => DateChanges;

/** The calls of planned dates (spec 7, contract 3). */
export function dateRoutes(deps: Deps, photos: DateMemories): Routes<typeof dateCalls> {
  const { db, announce } = deps;
  const find = async ({ params, session }: { params: { id: string }; session: Session }) => {
    if (!(await findDateRow(db.read, session.coupleId, params.id))) throw notFound('Planned date');
  };

  const answerOf = async (reader: Reader, coupleId: CoupleId, id: string) => {
    const found = await readDate(reader, photos, coupleId, id);
    if (!found) throw notFound('Planned date');
    return tagged(found.date, etagOf({ id, version: found.version }));
  };

  /** The date, locked, if its status allows this and nobody changed it meanwhile: 404, 409, 412, in this order. */
  const lockFor = async (tx: Writer, action: DateAction, { params, session, ifMatch }: Asked, judge?: Judge) => {
    const before = await lockDate(tx, session.coupleId, params.id);
    if (!before) throw notFound('Planned date');
    judge?.(before);
    if (!allows(before.status, action)) throw new Refusal(409, REFUSED[action]);
    assertMatches(ifMatch, before);
    return before;
  };

  const say = (tx: Writer, action: 'created' | 'updated' | 'deleted', id: string, { coupleId, userId }: Session) =>
    announce(tx, coupleId, { entity: 'plannedDate', id, action, by: userId });

  /** A PUT or a state call: one transaction; answers the date as it then is. */
  const change = (asked: Asked, action: DateAction, to: Change, judge?: Judge) => {
    const { coupleId } = asked.session;
    return db.write(async (tx) => {
      const before = await lockFor(tx, action, asked, judge);
      const changed = await changeDate(tx, coupleId, before, to(before), asked.now);
      if (changed) await say(tx, 'updated', before.id, asked.session);
      return answerOf(tx, coupleId, before.id);
    });
  };

  const listOf = (coupleId: CoupleId, rows: Promise<ListedDate[]>) =>
    viewsOf(rows, photos.countByDate(db.read, coupleId, null));

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
        // A retry gets its first answer again, though the idea be deleted meanwhile.
        const includeDeleted = request.headers['idempotency-key'] !== undefined;
        if (!isId(id) || !(await findIdea(db.read, session.coupleId, id, { includeDeleted })))
          throw notFound('Date idea');
      },
      handle: async ({ body, session, now, create }) => {
        assertPlan(body, now);
        return create(async (tx) => {
          // Held, so that nobody deletes it or makes it inactive while a date is planned from it.
          const idea = await lockIdea(tx, session.coupleId, body.dateIdeaId);
          if (!idea) throw notFound('Date idea');
          if (idea.isActive === 0) throw new Refusal(409, 'This date idea is not active and cannot be planned.');
          const id = await insertDate(tx, session.coupleId, idea.id, body, now);
          await say(tx, 'created', id, session);
          const { body: date, headers } = await answerOf(tx, session.coupleId, id);
          return created(date, `/api/PlannedDates/${id}`, headers.etag);
        });
      },
    },

    'GET /api/PlannedDates/upcoming': ({ session: { coupleId }, now }) =>
      listOf(coupleId, datesAhead(db.read, { coupleId, now, limit: ALL })),

    'GET /api/PlannedDates/completed': ({ session }) => completed(session.coupleId),

    'GET /api/PlannedDates/in-progress': ({ session }) => ofStatus(session.coupleId, 'InProgress'),

    'GET /api/PlannedDates/next': ({ session, now }) => readNextDate(db.read, photos, session.coupleId, now),

    'GET /api/PlannedDates/statuses': async () => STATUSES.map((status) => ({ ...status })),

    'GET /api/PlannedDates/{id}': ({ params, session }) => answerOf(db.read, session.coupleId, params.id),

    'PUT /api/PlannedDates/{id}': {
      find,
      handle: async (asked) => {
        const { plannedDateTime, endDateTime, location, notes } = asked.body;
        assertPlan(asked.body, asked.now);
        return change(asked, 'edit', () => ({ plannedDateTime, endDateTime, location, notes }));
      },
    },

    'DELETE /api/PlannedDates/{id}': {
      find,
      handle: async (asked) => {
        const { coupleId, userId } = asked.session;
        await db.write(async (tx) => {
          const { id } = await lockFor(tx, 'delete', asked);
          await trashDate(tx, coupleId, id, userId, asked.now);
          await photos.trashWithDate(tx, coupleId, id, asked.now);
          await say(tx, 'deleted', id, asked.session);
        });
        return null;
      },
    },

    'POST /api/PlannedDates/{id}/start': {
      find,
      handle: (asked) => change(asked, 'start', () => ({ status: 'InProgress', actualStartTime: asked.now })),
    },

    'POST /api/PlannedDates/{id}/complete': {
      find,
      handle: ({ body, ...asked }) => {
        const startOf = (before: DateRow) => body.actualStartTime ?? before.actualStartTime;
        return change(
          asked,
          'complete',
          (before) => ({
            status: 'Completed',
            actualStartTime: startOf(before),
            actualEndTime: body.actualEndTime,
            notes: body.notes ? body.notes.text : before.notes,
          }),
          (before) => {
            const start = startOf(before);
            refuse([
              ['actualStartTime', startTimeError(start)],
              ['actualEndTime', endTimeError(start, body.actualEndTime, asked.now)],
            ]);
          },
        );
      },
    },

    'POST /api/PlannedDates/{id}/cancel': {
      find,
      handle: (asked) => change(asked, 'cancel', () => ({ status: 'Cancelled' })),
    },
  };
}

interface Asked {
  readonly params: { readonly id: string };
  readonly session: Session;
  readonly now: number;
  readonly ifMatch: string | undefined;
}

/** Judges the request against the date as it is: a 400 comes before the 409 of its state. */
type Judge = (before: DateRow) => void;

function ideaIdOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('dateIdeaId' in raw)) return undefined;
  return typeof raw.dateIdeaId === 'string' ? raw.dateIdeaId : undefined;
}

/** Refuses times that no plan may have: out of the years that are taken, or an end that is not after the start. */
function assertPlan({ plannedDateTime, endDateTime }: PlanFields, now: number): void {
  const endsEarly = endDateTime !== null && endDateTime <= plannedDateTime;
  refuse([
    ['plannedDateTime', plannedTimeError(plannedDateTime, now)],
    ['endDateTime', endsEarly ? TIME_ERRORS.endBeforeStart : undefined],
  ]);
}

/** Throws 400 where a field has a fault. */
function refuse(faults: readonly [field: string, message: string | undefined][]): void {
  const errors = faults.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
  if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join(' '), { errors });
}
