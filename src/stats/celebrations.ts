import { DAY } from '../base/durations.ts';
import { BOTH_WANT_THIS } from '../ideas/hearts.ts';
import type { Milestone } from './milestones.ts';

/** A milestone to celebrate, or an idea that both partners want; `ideaId` is null for a milestone. */
export type Celebrated = Pick<Milestone, 'id' | 'icon' | 'title' | 'description'> & { readonly ideaId: string | null };

/** An idea that both partners want. */
interface MutualIdea {
  readonly id: string;
  readonly title: string;
  readonly partnerId: string;
}

/** How long ago a milestone may have been earned that is still celebrated. */
const CELEBRATED_MS = 7 * DAY;

/**
 * Returns what a user hasn't been shown yet: the milestones earned in the last seven days, in the order of `MILESTONES`, then
 * the mutual ideas. A milestone of long ago, such as one of a past that was added later, is not celebrated. An idea is
 * celebrated once with each partner, even if a heart is taken back and put again.
 */
export function uncelebrated(
  milestones: readonly Milestone[],
  seen: readonly string[],
  now: number,
  ideas: readonly MutualIdea[] = [],
): Celebrated[] {
  return [
    ...milestones
      .filter(({ earnedAt }) => earnedAt !== null && Date.parse(earnedAt) >= now - CELEBRATED_MS)
      .map(({ id, icon, title, description }) => ({ id, icon, title, description, ideaId: null })),
    ...ideas.map(({ id, title, partnerId }) => ({
      id: mutualCelebration(id, partnerId),
      icon: '💕',
      title: BOTH_WANT_THIS,
      description: title,
      ideaId: id,
    })),
  ].filter(({ id }) => !seen.includes(id));
}

/** The id under which it is stored that a user has been shown that an idea is mutual with a partner. */
export function mutualCelebration(ideaId: string, partnerId: string): string {
  return `mutual/${ideaId}/${partnerId}`;
}

/** The heading: the milestone's title, or how many if several were reached at once, as after an import. */
export function celebrationTitle(milestones: readonly Celebrated[]): string {
  return milestones.length === 1 ? (milestones[0]?.title ?? '') : `${milestones.length} milestones`;
}

/** The text below the heading: the milestone's description, or the titles of several. */
export function celebrationText(milestones: readonly Celebrated[]): string {
  if (milestones.length === 1) return milestones[0]?.description ?? '';
  return inOneSentence(milestones.map(({ title }) => title));
}

/** How many ideas a sentence names. More are counted. */
const NAMED_IDEAS = 3;

/** The titles of the ideas that both want, in one sentence: 'Kite, Kayak and 3 more'. */
export function mutualText(ideas: readonly Celebrated[]): string {
  const titles = ideas.map(({ description }) => description);
  if (titles.length <= NAMED_IDEAS) return inOneSentence(titles);
  const named = titles.slice(0, NAMED_IDEAS - 1);
  return inOneSentence([...named, `${titles.length - named.length} more`]);
}

function inOneSentence(titles: readonly string[]): string {
  return titles.length < 2 ? titles.join('') : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}
