import type { Milestone } from './milestones.ts';

/** A milestone to celebrate. */
export type ReachedMilestone = Pick<Milestone, 'id' | 'icon' | 'title' | 'description'>;

/** Returns the earned milestones that a user hasn't been shown yet, in the spec's order. */
export function uncelebrated(milestones: readonly Milestone[], seen: readonly string[]): ReachedMilestone[] {
  return milestones
    .filter(({ id, earnedAt }) => earnedAt !== null && !seen.includes(id))
    .map(({ id, icon, title, description }) => ({ id, icon, title, description }));
}

/** The heading: the milestone's title, or how many if several were reached at once, as after an import. */
export function celebrationTitle(milestones: readonly ReachedMilestone[]): string {
  return milestones.length === 1 ? (milestones[0]?.title ?? '') : `${milestones.length} milestones`;
}

/** The text below the heading: the milestone's description, or the titles of several. */
export function celebrationText(milestones: readonly ReachedMilestone[]): string {
  if (milestones.length === 1) return milestones[0]?.description ?? '';
  const titles = milestones.map(({ title }) => title);
  return `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}
