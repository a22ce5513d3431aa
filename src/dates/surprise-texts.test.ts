import { describe, expect, it } from 'vitest';
import {
  keepSecretHint,
  opensByItselfText,
  seenByPartnerText,
  surpriseFrom,
  tellHint,
  unwrappedText,
} from './surprise-texts.ts';

describe('what a page says of a surprise', () => {
  it('tells who sees what, with and without a partner', { tags: ['dates.surprises.5'] }, () => {
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
