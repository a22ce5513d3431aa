import type { User } from '../../src/auth/contract.ts';
import { signInWith } from '../../src/auth/web/session/sign-in-with.ts';

/** Signs Ada in on the page of a component's test, whose partner is Ben. */
export function signInAs(couple: Partial<User['couple']> = {}): User {
  const user: User = {
    id: '019a0000-0000-7000-8000-000000000001',
    email: 'ada@example.org',
    emailVerified: false,
    displayName: 'Ada',
    formats: 'us',
    signIn: { password: true, passkeys: 0, oidc: false },
    partner: { id: '019a0000-0000-7000-8000-000000000002', displayName: 'Ben' },
    couple: {
      id: '019a0000-0000-7000-8000-000000000003',
      togetherSince: '2019-06-01',
      timeZone: 'Europe/Rome',
      createdAt: '2024-01-01T12:00:00.000Z',
      ...couple,
    },
  };
  signInWith({ token: 'token', expiresAt: '2099-01-01T00:00:00.000Z', user });
  return user;
}
