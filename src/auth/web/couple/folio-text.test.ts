import { describe, expect, it } from 'vitest';
import type { User } from '../../contract.ts';
import { dayInWords, folioText } from './folio-text.ts';

const nora: User = {
  id: '1',
  email: 'nora@lettera.example',
  emailVerified: true,
  formats: 'us' as const,
  signIn: { password: true, passkeys: 0, oidc: false },
  displayName: 'Nora',
  partner: { id: '2', displayName: 'Elias' },
  couple: { id: '3', togetherSince: '2024-03-01', timeZone: 'Europe/Rome', createdAt: '2024-03-01T00:00:00.000Z' },
};

describe('the day since which two are together', () => {
  it.each([
    ['2024-03-01', 'the first of March 2024'],
    ['2019-12-20', 'the twentieth of December 2019'],
    ['1999-02-22', 'the twenty-second of February 1999'],
    ['2020-01-30', 'the thirtieth of January 2020'],
    ['2020-01-31', 'the thirty-first of January 2020'],
  ])('%s is %s', (date, words) => expect(dayInWords(date)).toBe(words));
  it('has a word for every day', () => {
    const days = Array.from({ length: 31 }, (_, index) => dayInWords(`2024-01-${String(index + 1).padStart(2, '0')}`));
    expect(new Set(days).size).toBe(31);
    for (const day of days) expect(day).toMatch(/^the [a-z-]+(st|nd|rd|th|first|second|third) of January 2024$/);
  });
});

describe('the folio', () => {
  it('names both partners, and their start date', () =>
    expect(folioText(nora)).toBe('Nora & Elias, since the first of March 2024'));
  it('names a user without a partner, and omits an unknown date', () => {
    expect(folioText({ ...nora, partner: null, couple: { ...nora.couple, togetherSince: null } })).toBe('Nora');
  });
});
