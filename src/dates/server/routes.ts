import type { CoupleId } from '../../base/ids.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { created, etagOf, tagged } from '../../base/server/answer.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { assertMatches } from '../../base/server/if-match.ts';
import { remembered } from '../../base/server/remembered.ts';
import type { Routes, Session } from '../../base/server/serve.ts';
import type { PlanCounts } from '../../ideas/server/routes.ts';
import { findIdea } from '../../ideas/server/store.ts';
import { endFault, startFault } from '../complete-rules.ts';
import type { dateCalls } from '../contract.ts';
import type { DateAction } from '../rules.ts';
import { allows, plannedTimeFault, REFUSED, STATUSES, TIME_FAULTS } from '../rules.ts';
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
import type { Photos } from './views.ts';
import { readAllDates, readDate, readNextDate, viewsOf } from './views.ts';

/** A limit that no couple's list reaches. */
const ALL = 2_147_483_647;

/** What ideas want to know of dates. */
export const planCounts: PlanCounts = { countsOf: countPlans };

/** What a state call or an edit makes of the date as it is. */
type Change = (before: DateRow) => DateChanges;

/** The calls of planned dates (spec 7, contract 3). */
export function dateRoutes(deps: Deps, photos: Photos): Routes<typeof dateCalls> {
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

  /** A PUT or a state call: one transaction, the change told after it, the date as it then is. */
  const change = async (asked: Asked, action: DateAction, to: Change, judge?: Judge) => {
    const { coupleId, userId } = asked.session;
    const { changed, answer } = await db.write(async (tx) => {
      const before = await lockFor(tx, action, asked, judge);
      const changed = await changeDate(tx, coupleId, before, to(before), asked.now);
      return { changed, answer: await answerOf(tx, coupleId, before.id) };
    });
    if (changed) announce(coupleId, { entity: 'plannedDate', id: asked.params.id, action: 'updated', by: userId });
    return answer;
  };

  const listOf = (coupleId: CoupleId, rows: Promise<ListedDate[]>) =>
    viewsOf(rows, photos.countsOf(db.read, coupleId, null));

  const ofStatus = (coupleId: CoupleId, status: 'Completed' | 'InProgress') =>
    listOf(coupleId, datesOfStatus(db.read, { coupleId, status }));

  const all = remembered(db, (coupleId) => readAllDates(db.read, photos, coupleId));
  const completed = remembered(db, (coupleId) => ofStatus(coupleId, 'Completed'));

  return {
    ...calendarRoutes(deps),

    'GET /api/PlannedDates': ({ session }) => all(session.coupleId),

    'POST /api/PlannedDates': {
      refer: async ({ request, session }, raw) => {
        const id = ideaIdOf(raw);
        if (id === undefined) return;
        // A retry gets its first answer again, though the idea be deleted meanwhile.
        const deletedToo = request.headers['idempotency-key'] !== undefined;
        if (!isId(id) || !(await findIdea(db.read, session.coupleId, id, { deletedToo }))) throw notFound('Date idea');
      },
      handle: async ({ body, session, now, create }) => {
        assertPlan(body, now);
        let made: string | undefined;
        const answer = await create(async (tx) => {
          const idea = await findIdea(tx, session.coupleId, body.dateIdeaId);
          if (!idea) throw notFound('Date idea');
          if (idea.isActive === 0) throw new Refusal(409, 'This date idea is not active and cannot be planned.');
          made = await insertDate(tx, session.coupleId, idea.id, body, now);
          const { body: date, headers } = await answerOf(tx, session.coupleId, made);
          return created(date, `/api/PlannedDates/${made}`, headers.etag);
        });
        if (made !== undefined) {
          announce(session.coupleId, { entity: 'plannedDate', id: made, action: 'created', by: session.userId });
        }
        return answer;
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
          await photos.dateDeleted(tx, coupleId, id, asked.now);
        });
        announce(coupleId, { entity: 'plannedDate', id: asked.params.id, action: 'deleted', by: userId });
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
              ['actualStartTime', startFault(start)],
              ['actualEndTime', endFault(start, body.actualEndTime, asked.now)],
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
    ['plannedDateTime', plannedTimeFault(plannedDateTime, now)],
    ['endDateTime', endsEarly ? TIME_FAULTS.endBeforeStart : undefined],
  ]);
}

/** Throws 400 where a field has a fault. */
function refuse(faults: readonly [field: string, message: string | undefined][]): void {
  const errors = faults.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
  if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join(' '), { errors });
}
