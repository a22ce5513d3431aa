import { etagOf, tagged } from '../../../base/server/calls/answer.ts';
import { heartsVisibleTo } from '../../hearts.ts';
import { deleteHeart, insertHeart, readHearts } from '../heart-store.ts';
import { readIdeaView } from '../views.ts';
import { announceIdea } from './announce-idea.ts';
import type { IdeaDeps, IdeaRoutes } from './idea-deps.ts';
import { requireIdea, requireLockedIdea } from './require-idea.ts';

/**
 * Puts or takes back the user's heart. The idea's version stays, since `If-Match` and the partner must not notice; the
 * partner gets an event only if the idea becomes mutual, or no longer is (secrets.hearts.3).
 */
export function setHeart(deps: IdeaDeps, isOn: boolean): IdeaRoutes['PUT /api/DateIdeas/{id}/heart'] {
  const { db, plans } = deps;
  return {
    checkEarly: ({ params, session }) => requireIdea(db.read, session.coupleId, params.id),
    handle: async ({ params: { id }, session, now }) => {
      const { coupleId, userId } = session;
      const { row, view } = await db.write(async (tx) => {
        // Of two partners at once, the second sees the first one's heart.
        const row = await requireLockedIdea(tx, coupleId, id);
        const before = heartsVisibleTo(userId, (await readHearts(tx, coupleId, [id])).get(id) ?? []);
        if (isOn) await insertHeart(tx, coupleId, id, userId, now);
        else await deleteHeart(tx, coupleId, id, userId);
        const view = await readIdeaView(tx, plans, row, session, now);
        const hasMutualChanged = before.mutual !== view.hearts.mutual;
        if (before.mine !== isOn)
          await announceIdea(deps, tx, 'updated', id, session, hasMutualChanged ? undefined : userId);
        return { row, view };
      });
      return tagged(view, etagOf(row));
    },
  };
}
