import { describe, expect, it } from 'vitest';
import type { User } from '../../contract.ts';
import { folioText } from './folio-text.ts';

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

describe('the folio', () => {
  it('names both partners, and their start date', () =>
    expect(folioText(nora)).toBe('Nora & Elias, since the first of March 2024'));
  it('names a user without a partner, and omits an unknown date', () => {
    expect(folioText({ ...nora, partner: null, couple: { ...nora.couple, togetherSince: null } })).toBe('Nora');
  });
});
