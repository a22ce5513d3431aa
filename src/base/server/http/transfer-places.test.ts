import { describe, expect, it } from 'vitest';
import { TransferPlaces } from './transfer-places.ts';

const SECOND = 1_000;
const MB = 1_048_576;

describe('the places of a node', () => {
  const open = (limits = { ofNode: 4, ofCouple: 3 }) => {
    const clock = { at: 0 };
    return { clock, places: new TransferPlaces({ ...limits, now: () => clock.at }) };
  };

  it('are refused with 429 to a couple that has too many, and are free again once one leaves', () => {
    const { places } = open();
    const [first] = [1, 2, 3].map(() => places.enter('ours'));
    expect(() => places.enter('ours')).toThrow(expect.objectContaining({ status: 429, retryAfter: 5 }));
    first?.leave();
    expect(() => places.enter('ours')).not.toThrow();
  });

  it('go from the slowest of the couple that has most to one that has fewer, if the node is full', {
    tags: ['wire.http.7'],
  }, () => {
    const { clock, places } = open();
    const many = [1, 2, 3].map(() => places.enter('many'));
    const other = places.enter('other');
    clock.at = 11 * SECOND;
    for (const [n, place] of many.entries()) place.moved((3 - n) * MB);
    places.enter('new');
    expect(many.map(({ signal }) => signal.aborted)).toEqual([false, false, true]);
    expect(other.signal.aborted).toBe(false);
    expect(many[2]?.signal.reason).toMatchObject({ status: 503, retryAfter: 5 });
  });

  it('go from a very slow client to any couple', { tags: ['wire.http.7'] }, () => {
    const { clock, places } = open();
    const [slow, ...fast] = ['a', 'b', 'c', 'd'].map((couple) => places.enter(couple));
    clock.at = 11 * SECOND;
    for (const place of fast) place.moved(MB);
    places.enter('new');
    expect(slow?.signal.aborted).toBe(true);
    expect(fast.some(({ signal }) => signal.aborted)).toBe(false);
  });

  it('stay with what is new, with what is fast, and with what no longer waits for its client', {
    tags: ['wire.http.7'],
  }, () => {
    const { clock, places } = open();
    const all = ['a', 'b', 'c', 'd'].map((couple) => places.enter(couple));
    const full = { status: 503, retryAfter: 5 };
    clock.at = 9 * SECOND;
    expect(() => places.enter('new')).toThrow(expect.objectContaining(full));
    clock.at = 11 * SECOND;
    for (const place of all) place.moved(MB);
    expect(() => places.enter('new')).toThrow(expect.objectContaining(full));
    clock.at = 1_000 * SECOND;
    for (const { keep } of all) keep();
    expect(() => places.enter('new')).toThrow(expect.objectContaining(full));
    expect(all.some(({ signal }) => signal.aborted)).toBe(false);
  });
});
