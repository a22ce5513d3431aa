import { describe, expect, it } from 'vitest';
import type { UserId } from '../base/ids.ts';
import { compareLastPlanned, type Hearts, heartsVisibleTo, mutualIdeas, pickableIdeas } from './hearts.ts';

const [ada, ben] = ['ada', 'ben'] as UserId[] as [UserId, UserId];

const idea = (id: string, hearts: Partial<Hearts> = {}, isActive = true) => ({
  id,
  isActive,
  hearts: { mine: false, mutual: false, ...hearts },
});
const mutual = { mine: true, mutual: true };
const ids = (ideas: readonly { id: string }[]) => ideas.map(({ id }) => id);

describe('the hearts of an idea', () => {
  it('show a partner their own, and the other’s only once both exist', { tags: ['secrets.hearts.1'] }, () => {
    expect(heartsVisibleTo(ada, [])).toEqual({ mine: false, mutual: false });
    expect(heartsVisibleTo(ada, [ada])).toEqual({ mine: true, mutual: false });
    expect(heartsVisibleTo(ada, [ben])).toEqual({ mine: false, mutual: false });
    expect(heartsVisibleTo(ada, [ben, ada])).toEqual({ mine: true, mutual: true });
  });
});

it('an inactive idea is not mutual', { tags: ['ideas.hearts.3'] }, () => {
  expect(ids(mutualIdeas([idea('a', mutual), idea('b', mutual, false), idea('c', { mine: true })]))).toEqual(['a']);
});

it('ideas never planned come before those planned long ago', { tags: ['ideas.hearts.3'] }, () => {
  const planned = (lastPlannedDate: string | null) => ({ lastPlannedDate });
  const sorted = [planned('2026-01-02T00:00:00.000Z'), planned(null), planned('2025-01-02T00:00:00.000Z')];
  expect(sorted.sort(compareLastPlanned).map(({ lastPlannedDate }) => lastPlannedDate?.slice(0, 4))).toEqual([
    undefined,
    '2025',
    '2026',
  ]);
});

describe('the ideas to draw from', { tags: ['ideas.hearts.4'] }, () => {
  const nothing = new Set<string>();

  it('are all active ones as long as none is mutual', () => {
    const ideas = [idea('a', { mine: true }), idea('b'), idea('c', {}, false)];
    expect(ids(pickableIdeas(ideas, nothing))).toEqual(['a', 'b']);
  });

  it('are the mutual ones if there are any', () => {
    const ideas = [idea('a'), idea('b', mutual), idea('c', mutual, false), idea('d', mutual)];
    expect(ids(pickableIdeas(ideas, nothing))).toEqual(['b', 'd']);
  });

  it('leave out those with a planned or running date, unless no other is left', () => {
    const ideas = [idea('a', mutual), idea('b', mutual), idea('c')];
    expect(ids(pickableIdeas(ideas, new Set(['a'])))).toEqual(['b']);
    expect(ids(pickableIdeas(ideas, new Set(['a', 'b'])))).toEqual(['a', 'b']);
    expect(ids(pickableIdeas([idea('a'), idea('b')], new Set(['b'])))).toEqual(['a']);
    expect(pickableIdeas([], nothing)).toEqual([]);
  });
});
