import { created, etagOf, tagged } from '../../../base/server/calls/answer.ts';
import { NO_HEARTS } from '../../hearts.ts';
import { NEVER_PLANNED } from '../plan-counts.ts';
import { findIdea, insertIdea } from '../store.ts';
import { ideaView, readIdeaView } from '../views.ts';
import { announceIdea } from './announce-idea.ts';
import type { IdeaDeps, IdeaRoutes } from './idea-deps.ts';

/** Adds an idea. */
export function createIdea(deps: IdeaDeps): IdeaRoutes['POST /api/DateIdeas'] {
  const { db, plans } = deps;
  return {
    readAgain: async ({ session, now }, id) => {
      const row = await findIdea(db.read, session.coupleId, id);
      return row ? tagged(await readIdeaView(db.read, plans, row, session, now), etagOf(row)) : 'deleted';
    },
    handle: ({ body, session, now, create }) =>
      create(async (tx) => {
        const row = await insertIdea(tx, session.coupleId, { ...body, isActive: body.isActive ?? true }, now);
        await announceIdea(deps, tx, 'created', row.id, session);
        return created(ideaView(row, NEVER_PLANNED, NO_HEARTS), `/api/DateIdeas/${row.id}`, etagOf(row));
      }),
  };
}
