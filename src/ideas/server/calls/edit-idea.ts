import { etagOf, tagged } from '../../../base/server/calls/answer.ts';
import { assertIfMatch } from '../../../base/server/calls/if-match.ts';
import { replaceIdea } from '../store.ts';
import { readIdeaView } from '../views.ts';
import { announceIdea } from './announce-idea.ts';
import type { IdeaDeps, IdeaRoutes } from './idea-deps.ts';
import { requireIdea, requireLockedIdea } from './require-idea.ts';

/** Edits an idea. Without `isActive` it stays active or inactive. */
export function editIdea(deps: IdeaDeps): IdeaRoutes['PUT /api/DateIdeas/{id}'] {
  const { db, plans } = deps;
  return {
    checkEarly: ({ params, session }) => requireIdea(db.read, session.coupleId, params.id),
    handle: async ({ params, body, session, now, ifMatch }) => {
      const { after, view } = await db.write(async (tx) => {
        const before = await requireLockedIdea(tx, session.coupleId, params.id);
        assertIfMatch(ifMatch, before);
        const fields = { ...body, isActive: body.isActive ?? before.isActive === 1 };
        const after = await replaceIdea(tx, session.coupleId, before, fields, now);
        if (after.version !== before.version) await announceIdea(deps, tx, 'updated', after.id, session);
        return { after, view: await readIdeaView(tx, plans, after, session, now) };
      });
      return tagged(view, etagOf(after));
    },
  };
}
