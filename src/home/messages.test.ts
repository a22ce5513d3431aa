import { describe, expect, it } from 'vitest';
import { messagesFor, shuffled } from './messages.ts';

const both = messagesFor({ you: 'Nora', partner: 'Elias' });

describe('the messages of the dashboard (spec 2)', () => {
  it('are ninety or more, no two the same, none too long for three lines of a phone', () => {
    expect(both.length).toBeGreaterThanOrEqual(90);
    expect(new Set(both).size).toBe(both.length);
    for (const message of both) expect(message.length).toBeLessThanOrEqual(80);
  });

  it('call some by name, and leave no gap where a name belongs', () => {
    expect(both.filter((message) => message.includes('Elias')).length).toBeGreaterThanOrEqual(10);
    expect(both.filter((message) => message.startsWith('Nora, ')).length).toBeGreaterThanOrEqual(5);
    expect(both.join('')).not.toMatch(/[{}]/);
  });

  it('speak of no partner to one who is still alone', () => {
    const alone = messagesFor({ you: 'Nora', partner: null });
    expect(alone.length).toBeGreaterThanOrEqual(90);
    expect(alone.join('')).not.toMatch(/[{}]/);
  });

  it('take a name as it is written', () => {
    expect(messagesFor({ you: '$& {partner}', partner: '$1' }).some((message) => message.startsWith('$& '))).toBe(true);
  });

  it('come in another order each time, and none is lost', () => {
    expect(shuffled(['a', 'b', 'c', 'd'], () => 0)).toEqual(['b', 'c', 'd', 'a']);
    expect(shuffled(both, Math.random).toSorted()).toEqual(both.toSorted());
  });
});
