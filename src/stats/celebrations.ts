import type { Milestone } from './milestones.ts';

/** What is said of milestones just reached. */
export interface ReachedMilestone {
  readonly id: string;
  readonly icon: string;
  readonly title: string;
  readonly description: string;
}

/** The milestones that are earned and that somebody has not been shown yet, in the spec's order. */
export function uncelebrated(milestones: readonly Milestone[], seen: readonly string[]): ReachedMilestone[] {
  return milestones
    .filter(({ id, earnedAt }) => earnedAt !== null && !seen.includes(id))
    .map(({ id, icon, title, description }) => ({ id, icon, title, description }));
}

/** Its heading: the milestone itself; of several at once (an imported history) how many. */
export function celebrationTitle(celebrated: readonly ReachedMilestone[]): string {
  return celebrated.length === 1 ? (celebrated[0]?.title ?? '') : `${celebrated.length} milestones`;
}

/** What stands under it: what was reached; of several their names. */
export function celebrationText(celebrated: readonly ReachedMilestone[]): string {
  if (celebrated.length === 1) return celebrated[0]?.description ?? '';
  const titles = celebrated.map(({ title }) => title);
  return `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}
