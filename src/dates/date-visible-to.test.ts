import { describe, expect, it } from 'vitest';
import { HOUR } from '../base/durations.ts';
import type { UserId } from '../base/ids.ts';
import { dateVisibleTo, type StoredDate } from './date-visible-to.ts';
import { eachOptionalText, NO_TEXTS } from './optional-texts.ts';

const NOW = Date.parse('2026-11-23T18:00:00Z');
const [ada, ben] = ['ada', 'ben'] as UserId[] as [UserId, UserId];

const stored: StoredDate = {
  id: 'd',
  status: 'Planned',
  plannedDateTime: NOW + HOUR,
  endDateTime: NOW + 3 * HOUR,
  ...eachOptionalText((name) => `secret ${name}`),
  actualStartTime: null,
  actualEndTime: null,
  createdAt: NOW - 9 * HOUR,
  updatedAt: NOW - HOUR,
  version: 4,
  surpriseBy: ada,
  revealedAt: null,
  notLookedBackBy: null,
  shownVersion: 2,
  shownUpdatedAt: NOW - 8 * HOUR,
  ideaId: 'i',
  title: 'A swim under the stars',
  description: 'Heated',
  category: 'Active',
};

describe('a date as one partner may see it', () => {
  it('shows of the other’s surprise its time, and the version and time of the last change that shows', {
    tags: ['secrets.surprises.1'],
  }, () => {
    expect(dateVisibleTo(ben, stored, NOW)).toEqual({
      id: 'd',
      status: 'Planned',
      plannedDateTime: NOW + HOUR,
      endDateTime: NOW + 3 * HOUR,
      ...NO_TEXTS,
      actualStartTime: null,
      actualEndTime: null,
      createdAt: NOW - 9 * HOUR,
      updatedAt: NOW - 8 * HOUR,
      version: 2,
      ideaId: null,
      title: 'A surprise',
      description: null,
      category: null,
      surprise: { mine: false, revealed: false },
      lookBack: true,
      isHidden: true,
    });
  });

  it('shows its planner everything, and both once it is revealed', {
    tags: ['secrets.surprises.1'],
  }, () => {
    const whole = { title: 'A swim under the stars', location: 'secret location', version: 4, isHidden: false };
    expect(dateVisibleTo(ada, stored, NOW)).toMatchObject({ ...whole, surprise: { mine: true, revealed: false } });
    expect(dateVisibleTo(ada, stored, NOW + HOUR)).toMatchObject({
      ...whole,
      surprise: { mine: true, revealed: true },
    });
    expect(dateVisibleTo(ben, stored, NOW + HOUR)).toMatchObject({
      ...whole,
      surprise: { mine: false, revealed: true },
    });
  });

  it('shows everything if it never was a surprise', { tags: ['secrets.surprises.1'] }, () => {
    const plain = { ...stored, surpriseBy: null, shownVersion: null, shownUpdatedAt: null };
    expect(dateVisibleTo(ben, plain, NOW)).toMatchObject({ surprise: null, title: 'A swim under the stars' });
  });
});
