import { etagOf, tagged } from '../../base/server/calls/answer.ts';
import type { Deps } from '../../base/server/deps.ts';
import { createIdea } from './calls/create-idea.ts';
import { editIdea } from './calls/edit-idea.ts';
import type { IdeaDeps, IdeaRoutes } from './calls/idea-deps.ts';
import { ideaLists } from './calls/idea-lists.ts';
import { removeIdea } from './calls/remove-idea.ts';
import { requireIdea } from './calls/require-idea.ts';
import { setHeart } from './calls/set-heart.ts';
import type { PlanCounts } from './plan-counts.ts';
import { readIdeaView } from './views.ts';

/** The routes for date ideas. */
export function ideaRoutes(deps: Deps, plans: PlanCounts): IdeaRoutes {
  const { db } = deps;
  const ideaDeps: IdeaDeps = { ...deps, plans };
  return {
    ...ideaLists(ideaDeps),
    'POST /api/DateIdeas': createIdea(ideaDeps),
    'GET /api/DateIdeas/{id}': async ({ params, session, now }) => {
      const row = await requireIdea(db.read, session.coupleId, params.id);
      return tagged(await readIdeaView(db.read, plans, row, session, now), etagOf(row));
    },
    'PUT /api/DateIdeas/{id}': editIdea(ideaDeps),
    'DELETE /api/DateIdeas/{id}': removeIdea(ideaDeps),
    'PUT /api/DateIdeas/{id}/heart': setHeart(ideaDeps, true),
    'DELETE /api/DateIdeas/{id}/heart': setHeart(ideaDeps, false),
  };
}
