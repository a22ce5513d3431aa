import type { UserId } from '../base/ids.ts';
import type { DateIdea } from './contract.ts';

/** What a partner knows of the hearts of an idea. */
export interface Hearts {
  /** Whether the viewer has put one. */
  readonly mine: boolean;
  /** Whether both partners have put one. */
  readonly mutual: boolean;
}

/** The mark of mutual ideas, and the title of their celebration (ideas.hearts.7). */
export const BOTH_WANT_THIS = 'We both want this';

export const NO_HEARTS: Hearts = { mine: false, mutual: false };

/**
 * Decides what a partner may know of an idea's hearts: their own heart, and whether it is returned. Every response, event
 * and export goes through here, so that nobody learns of a heart that is not returned (secrets.hearts.2).
 * @param hearted the partners who have put a heart on the idea
 */
export function heartsVisibleTo(viewer: UserId, hearted: readonly UserId[]): Hearts {
  const mine = hearted.includes(viewer);
  return { mine, mutual: mine && hearted.some((userId) => userId !== viewer) };
}

/** Returns the active mutual ideas. */
export function mutualIdeas<T extends Pick<DateIdea, 'isActive' | 'hearts'>>(ideas: readonly T[]): T[] {
  return ideas.filter(({ isActive, hearts }) => isActive && hearts.mutual);
}

/** Compares ideas by their last plan, never planned ones first. The caller compares equal ones. */
export function compareLastPlanned(a: Pick<DateIdea, 'lastPlannedDate'>, b: Pick<DateIdea, 'lastPlannedDate'>): number {
  const [first, second] = [a.lastPlannedDate ?? '', b.lastPlannedDate ?? ''];
  return first < second ? -1 : Number(first > second);
}

/**
 * Returns the ideas that 'Pick for us' draws from: the mutual ones if there are any, otherwise all active ones. Ideas with
 * a planned or running date are left out, unless no other is left (ideas.hearts.4).
 * @param busy the ids of ideas with a planned or running date
 */
export function pickableIdeas<T extends Pick<DateIdea, 'id' | 'isActive' | 'hearts'>>(
  ideas: readonly T[],
  busy: ReadonlySet<string>,
): T[] {
  const active = ideas.filter(({ isActive }) => isActive);
  const mutual = mutualIdeas(active);
  const pool = mutual.length > 0 ? mutual : active;
  const free = pool.filter(({ id }) => !busy.has(id));
  return free.length > 0 ? free : pool;
}
