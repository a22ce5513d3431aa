import { describe, expect, it } from 'vitest';
import { stopReasonOf } from './stray-rules.ts';

describe('what stops the sweep', () => {
  const look = { files: 10_000, strays: 0, unconfirmed: 0, unknownCouples: 0 };

  it.each([
    [{}, null],
    [{ strays: 100, unconfirmed: 100 }, null],
    [{ strays: 101, unconfirmed: 101 }, 'tooMany'],
    // An operator has confirmed them.
    [{ strays: 9_000, unconfirmed: 100 }, null],
    [{ files: 30, strays: 19, unconfirmed: 19 }, null],
    [{ files: 30, strays: 20, unconfirmed: 20 }, 'tooMany'],
    [{ files: 3, strays: 1, unconfirmed: 1, unknownCouples: 1 }, 'unknownCouples'],
  ] as const)('%j: %s', (found, reason) => {
    expect(stopReasonOf({ ...look, ...found })).toBe(reason);
  });
});
