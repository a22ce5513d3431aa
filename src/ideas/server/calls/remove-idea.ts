import { assertIfMatch } from '../../../base/server/calls/if-match.ts';
import { deleteHeartsOf } from '../heart-store.ts';
import { deleteIdea } from '../store.ts';
import { announceIdea } from './announce-idea.ts';
import type { IdeaDeps, IdeaRoutes } from './idea-deps.ts';
import { requireIdea, requireLockedIdea } from './require-idea.ts';

/** Deletes an idea and its hearts. Its dates stay. */
export function removeIdea(deps: IdeaDeps): IdeaRoutes['DELETE /api/DateIdeas/{id}'] {
  const { db } = deps;
  return {
    checkEarly: ({ params, session }) => requireIdea(db.read, session.coupleId, params.id),
    handle: async ({ params, session, now, ifMatch }) => {
      await db.write(async (tx) => {
        const row = await requireLockedIdea(tx, session.coupleId, params.id);
        assertIfMatch(ifMatch, row);
        await deleteIdea(tx, session.coupleId, row.id, now);
        await deleteHeartsOf(tx, session.coupleId, row.id);
        await announceIdea(deps, tx, 'deleted', row.id, session);
      });
      return null;
    },
  };
}
