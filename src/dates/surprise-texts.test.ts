import { describe, expect, it } from 'vitest';
import { actionsOf } from './actions.ts';
import type { PlannedDate } from './contract.ts';
import {
  isHidden,
  isOwnSecret,
  isWrapped,
  keepSecretHint,
  opensByItselfText,
  seenByPartnerText,
  surpriseFrom,
  tellHint,
  unwrappedText,
} from './surprise-texts.ts';

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

  it('says who sees what, with and without a partner', { tags: ['dates.surprises.5'] }, () => {
    expect(surpriseFrom('Elias')).toBe('A surprise from Elias.');
    expect(surpriseFrom(null)).toBe('A surprise.');
    expect(keepSecretHint('Elias')).toBe('Elias sees only the day and the time, until it begins or you tell.');
    expect(keepSecretHint(null)).toBe(
      'Your partner, once here, sees only the day and the time, until it begins or you tell.',
    );
    expect(seenByPartnerText('Elias')).toBe('Elias sees the day and the time, nothing else.');
    expect(tellHint('Elias')).toBe('Saving this tells Elias what it is. It can’t be hidden again.');
    expect(opensByItselfText('Elias', Date.parse('2026-12-03T18:30:00Z'), 'Europe/Rome')).toBe(
      'Elias has planned this one. It opens by itself when it begins, at the latest on Thursday, December 3, 2026 at 7:30 PM.',
    );
    const dateIdea = { title: 'The roof' } as Parameters<typeof unwrappedText>[0]['dateIdea'];
    expect(unwrappedText({ dateIdea }, 'Elias')).toBe('The surprise from Elias is open: The roof.');
    expect(unwrappedText({ dateIdea }, null)).toBe('Our surprise is open: The roof.');
  });
});
