import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { ideaCalls } from '../../contract.ts';
import type { PlanCounts } from '../plan-counts.ts';

/** What the calls of ideas use. */
export interface IdeaDeps extends Pick<Deps, 'db' | 'announce' | 'randomInt'> {
  readonly plans: PlanCounts;
}

export type IdeaRoutes = Routes<typeof ideaCalls>;
