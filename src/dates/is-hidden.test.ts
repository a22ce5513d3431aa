import { expect, it } from 'vitest';
import { isHidden, isOwnSecret, isWrapped } from './is-hidden.ts';

const NONE = { surprise: null };
const HIDDEN = { surprise: { mine: false, revealed: false } };
const OWN = { surprise: { mine: true, revealed: false } };
const REVEALED = { surprise: { mine: false, revealed: true } };
const OWN_REVEALED = { surprise: { mine: true, revealed: true } };
const ALL = [NONE, HIDDEN, OWN, REVEALED, OWN_REVEALED];

it('a surprise is hidden from the partner, a secret of its planner, and wrapped for both until it is revealed', {
  tags: ['dates.surprises.7'],
}, () => {
  expect(ALL.map(isHidden)).toEqual([false, true, false, false, false]);
  expect(ALL.map(isOwnSecret)).toEqual([false, false, true, false, false]);
  expect(ALL.map(isWrapped)).toEqual([false, true, true, false, false]);
});
