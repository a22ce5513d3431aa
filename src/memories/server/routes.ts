import { readCouple } from '../../auth/server/couple/couple-store.ts';
import type { CoupleId } from '../../base/ids.ts';
import { formatInstant } from '../../base/instants.ts';
import { formatSize } from '../../base/number-texts.ts';
import { notFound } from '../../base/refusal.ts';
import { Answer, etagOf, tagged } from '../../base/server/calls/answer.ts';
import type { Context, Routes } from '../../base/server/calls/route-types.ts';
import { memoizeUntilCommit } from '../../base/server/db/memoize-until-commit.ts';
import type { Deps } from '../../base/server/deps.ts';
import { onlyPlanner, readAsVisible } from '../../dates/server/visibility-store.ts';
import type { memoryCalls } from '../contract.ts';
import { SIZES } from '../rules.ts';
import { correctMemory } from './correct-memory.ts';
import type { FileRemover } from './file-remover.ts';
import { assertDate, memoryLists } from './memory-lists.ts';
import type { PreviewMaker } from './pictures/preview-maker.ts';
import { sendPicture } from './pictures/send-picture.ts';
import { findByFileName, findMemory, findMemoryOfDate, memoryFigures, trashMemory, visibleTo } from './store.ts';
import { toMemory } from './to-memory.ts';
import { erase, listTrash, restoreEntry } from './trash.ts';

type MemoryRoutes = Routes<typeof memoryCalls>;
type TrashName = Extract<keyof MemoryRoutes, `${string} /api/Trash${string}`>;

/** The services of these routes, which the app owns. */
interface MemoryServices {
  readonly previewMaker: PreviewMaker;
  readonly fileRemover: FileRemover;
}

/** The routes of memories, their photos and the trash. */
export function memoryRoutes(deps: Deps, { previewMaker, fileRemover }: MemoryServices): MemoryRoutes {
  return {
    ...readRoutes(deps),
    ...writeRoutes(deps),
    ...pictureRoutes(deps, previewMaker),
    ...trashRoutes(deps, fileRemover),
  };
}

function readRoutes({ db }: Deps) {
  const lists = memoryLists(db);
  /** An unknown date is 404 before an invalid query is 400. */
  const checkReferences = async ({ request, session }: Pick<Context<string, object>, 'request' | 'session'>) => {
    const { plannedDateId } = request.query as { plannedDateId?: unknown };
    if (plannedDateId !== undefined && plannedDateId !== '') await assertDate(db.read, session.coupleId, plannedDateId);
  };
  return {
    'GET /api/Memories': {
      checkReferences,
      handle: ({ session, query, now }) => {
        const dateId = query.plannedDateId || null;
        const path = dateId === null ? '/api/Memories' : `/api/Memories?plannedDateId=${dateId}`;
        return lists.page(session, now, { dateId, path, query });
      },
    },

    'GET /api/Memories/months': {
      checkReferences,
      handle: async ({ session, query, now }) => {
        const zone = query.zone ?? (await readCouple(db.read, session.coupleId)).timeZone;
        const list = { dateId: query.plannedDateId || null, sort: query.sort ?? 'date-desc', zone } as const;
        return lists.months(session, now, list);
      },
    },

    'GET /api/Memories/planned-date/{plannedDateId}': {
      checkEarly: ({ session, params }) => assertDate(db.read, session.coupleId, params.plannedDateId),
      handle: ({ session, params: { plannedDateId: dateId }, query, now }) =>
        lists.page(session, now, { dateId, path: `/api/Memories/planned-date/${dateId}`, query }),
    },

    'GET /api/Memories/planned-date/{plannedDateId}/stats': {
      checkEarly: ({ session, params }) => assertDate(db.read, session.coupleId, params.plannedDateId),
      handle: async ({ session, params: { plannedDateId }, now }) => {
        const { count, bytes, first, last } = await readAsVisible(db.read, session, now, (visibility) =>
          memoryFigures(db.read, visibility, plannedDateId),
        );
        return {
          plannedDateId,
          memoryCount: count,
          totalSizeBytes: bytes,
          formattedTotalSize: formatSize(bytes),
          firstUploadedAt: first === null ? null : formatInstant(first),
          lastUploadedAt: last === null ? null : formatInstant(last),
        };
      },
    },

    'GET /api/Memories/{id}': async ({ session, params, now }) => {
      const row = await findMemory(db.read, session, params.id, now);
      if (!row) throw notFound('Memory');
      return tagged(toMemory(row), etagOf(row));
    },
  } satisfies Partial<MemoryRoutes>;
}

function writeRoutes(deps: Deps) {
  const { db } = deps;
  return {
    'PUT /api/Memories/{id}': {
      checkEarly: async ({ session, params, now }) => {
        if (!(await findMemory(db.read, session, params.id, now))) throw notFound('Memory');
      },
      checkReferences: async ({ session }, raw) => {
        const { plannedDateId } = (raw ?? {}) as { plannedDateId?: unknown };
        if (plannedDateId !== undefined && plannedDateId !== null && plannedDateId !== '')
          await assertDate(db.read, session.coupleId, plannedDateId);
      },
      handle: (context) => correctMemory(deps, context),
    },

    'DELETE /api/Memories/{id}': async ({ session, params: { id }, now }) => {
      const { coupleId, userId } = session;
      await deps.db.write(async (tx) => {
        const memory = await findMemory(tx, session, id, now);
        if (!memory || !(await trashMemory(tx, coupleId, { id, by: userId, now }))) throw notFound('Memory');
        const only = await onlyPlanner(tx, coupleId, memory.dateId, now);
        await deps.announce(tx, coupleId, { entity: 'memory', id, action: 'deleted', by: userId }, only);
      });
      return null;
    },
  } satisfies Partial<MemoryRoutes>;
}

/** How many memory rows the cache holds until the next commit. */
const MAX_CACHED_ROWS = 2_000;

function pictureRoutes(deps: Deps, previewMaker: PreviewMaker) {
  const { files, log } = deps;
  const pictureDeps = { files, log, previewMaker };
  const find = memoizeUntilCommit(deps.db, MAX_CACHED_ROWS, (key) => {
    const [coupleId, id] = key.split(' ') as [CoupleId, string];
    return findMemoryOfDate(deps.db.read, coupleId, id);
  });
  return {
    'GET /api/Memories/{id}/image': {
      checkEarly: async ({ session, params, request, now }) => {
        // A memory that does not exist is 404 before an invalid size is 400.
        const { size } = request.query as { size?: unknown };
        if (size === undefined || SIZES.some((known) => known === size)) return;
        if (!(await findMemory(deps.db.read, session, params.id, now))) throw notFound('Memory');
      },
      handle: async ({ session, params, query, request, now }) => {
        const row = visibleTo(session, await find(`${session.coupleId} ${params.id}`), now);
        if (!row) throw notFound('Memory');
        return sendPicture(pictureDeps, request, row, query.size ?? 'original');
      },
    },

    'GET /api/Memories/image/{fileName}': async ({ session, params, request, now }) => {
      const row = await findByFileName(deps.db.read, session, params.fileName, now);
      if (!row) throw notFound('Photograph');
      return sendPicture(pictureDeps, request, row, 'original');
    },
  } satisfies Partial<MemoryRoutes>;
}

function trashRoutes(deps: Deps, fileRemover: FileRemover) {
  return {
    'GET /api/Trash': ({ session, now }) => listTrash(deps.db.read, session, now),

    'POST /api/Trash/{id}/restore': async ({ session, params: { id }, now }) => {
      const answer = await restoreEntry(deps, session, id, now);
      return new Answer<{ id: string }>(answer.body, { headers: answer.headers });
    },

    'DELETE /api/Trash/{id}': async ({ session, params: { id }, now }) => {
      await erase(deps, fileRemover, session, { id, now });
      return null;
    },
  } satisfies Pick<MemoryRoutes, TrashName>;
}
