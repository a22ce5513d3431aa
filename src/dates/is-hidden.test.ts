import { describe, expect, it } from 'vitest';
import { actionsOf } from './actions.ts';
import type { PlannedDate } from './contract.ts';
import { isHidden, isOwnSecret, isWrapped } from './is-hidden.ts';

const NONE = { surprise: null };
const HIDDEN = { surprise: { mine: false, revealed: false } };
const OWN = { surprise: { mine: true, revealed: false } };
const REVEALED = { surprise: { mine: false, revealed: true } };

describe('a surprise on the page', () => {
  it('is hidden from the partner until it is revealed', {
    tags: ['dates.surprises.7'],
  }, () => {
    expect([NONE, HIDDEN, OWN, REVEALED].map(isHidden)).toEqual([false, true, false, false]);
    expect([NONE, HIDDEN, OWN, REVEALED].map(isOwnSecret)).toEqual([false, false, true, false]);
    expect([NONE, HIDDEN, OWN, REVEALED].map(isWrapped)).toEqual([false, true, true, false]);
  });

  it('offers the partner no action, and its planner all of them', { tags: ['dates.surprises.7'] }, () => {
    const date = { status: 'Planned', plannedDateTime: '2026-11-25T19:00:00.000Z' } as const;
    const now = Date.parse('2026-11-21T12:00:00Z');
    const actions = (surprise: Pick<PlannedDate, 'surprise'>, place: 'list' | 'details') =>
      actionsOf({ ...date, ...surprise }, place, now, 'UTC');
    for (const place of ['list', 'details'] as const) {
      expect(actions(HIDDEN, place)).toEqual([]);
      expect(actions(OWN, place)).toEqual(actions(NONE, place));
      expect(actions(REVEALED, place)).toEqual(['start', 'edit', 'cancel', 'delete']);
    }
  });
});
