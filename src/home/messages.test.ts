import { describe, expect, it } from 'vitest';
import { messagesFor, shuffleMessages } from './messages.ts';

const both = messagesFor({ you: 'Nora', partner: 'Elias' });

describe('the messages of the dashboard', () => {
  it('are ninety or more, all different, and have at most 80 characters, three lines of a phone', {
    tags: ['home.dashboard.4'],
  }, () => {
    expect(both.length).toBeGreaterThanOrEqual(90);
    expect(new Set(both).size).toBe(both.length);
    for (const message of both) expect(message.length).toBeLessThanOrEqual(80);
  });

  it('use names in some, and leave no placeholder', { tags: ['home.dashboard.4'] }, () => {
    expect(both.filter((message) => message.includes('Elias')).length).toBeGreaterThanOrEqual(10);
    expect(both.filter((message) => message.startsWith('Nora, ')).length).toBeGreaterThanOrEqual(5);
    expect(both.join('')).not.toMatch(/[{}]/);
  });

  it('mention no partner to a user without one', { tags: ['home.dashboard.4'] }, () => {
    const alone = messagesFor({ you: 'Nora', partner: null });
    expect(alone.length).toBeGreaterThanOrEqual(90);
    expect(alone.join('')).not.toMatch(/[{}]/);
  });

  it('insert a name literally', () => {
    expect(messagesFor({ you: '$& {partner}', partner: '$1' }).some((message) => message.startsWith('$& '))).toBe(true);
  });

  it('are shuffled, and none is lost', () => {
    expect(shuffleMessages(['a', 'b', 'c', 'd'], () => 0)).toEqual(['b', 'c', 'd', 'a']);
    expect(shuffleMessages(both, Math.random).toSorted()).toEqual(both.toSorted());
  });
});
