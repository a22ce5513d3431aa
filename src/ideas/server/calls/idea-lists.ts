import { invalidField } from '../../../base/refusal.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import { CATEGORIES, type CategoryValue, findCategory } from '../../categories.ts';
import { compareTitles } from '../../compare-titles.ts';
import { compareLastPlanned, mutualIdeas, pickableIdeas } from '../../hearts.ts';
import { activeIdeas, allIdeas } from '../store.ts';
import { ideaViews } from '../views.ts';
import type { IdeaDeps, IdeaRoutes } from './idea-deps.ts';

/** The lists of ideas, and the one that 'Pick for us' draws from them. */
export function ideaLists({ db, plans, randomInt }: IdeaDeps) {
  const activeByTitle = async (viewer: Viewer, now: number, category: CategoryValue | null) => {
    const rows = activeIdeas(db.read, viewer.coupleId, category);
    return (await ideaViews(db.read, plans, viewer, { rows, now, ideaIds: null })).sort(compareTitles);
  };

  return {
    'GET /api/DateIdeas': ({ session, now }) =>
      ideaViews(db.read, plans, session, { rows: allIdeas(db.read, session.coupleId), now, ideaIds: null }),
    'GET /api/DateIdeas/active': ({ session, now }) => activeByTitle(session, now, null),
    'GET /api/DateIdeas/categories': async () => CATEGORIES.map((category) => ({ ...category })),
    'GET /api/DateIdeas/category/{category}': async ({ params, session, now }) => {
      const category = findCategory(params.category);
      if (category === null) throw invalidField('category', 'Please choose one of the eight categories');
      return activeByTitle(session, now, category);
    },
    'GET /api/DateIdeas/mutual': async ({ session, now }) =>
      mutualIdeas(await activeByTitle(session, now, null)).sort(
        (a, b) => compareLastPlanned(a, b) || compareTitles(a, b),
      ),
    'GET /api/DateIdeas/pick': async ({ session, now }) => {
      const [ideas, busy] = await Promise.all([
        activeByTitle(session, now, null),
        plans.busyIdeas(db.read, session, now),
      ]);
      const pickable = pickableIdeas(ideas, busy);
      return pickable.length === 0 ? null : (pickable[randomInt(pickable.length)] ?? null);
    },
  } satisfies Partial<IdeaRoutes>;
}
