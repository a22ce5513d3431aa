import { expect, it } from 'vitest';
import { Refusal } from '../../../base/refusal.ts';
import { hashPassword, isPassword, queueHashing } from './passwords.ts';

it('hashes a password with Argon2id, the OWASP parameters and a new salt each time', {
  tags: ['accounts.signin.2'],
}, async () => {
  const [one, two] = await Promise.all([hashPassword('a quiet evening'), hashPassword('a quiet evening')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await isPassword('a quiet evening', one)).toBe(true);
  expect(await isPassword('a quiet morning', one)).toBe(false);
});

it('accepts no password without an account', async () => {
  expect(await isPassword('nobody', null)).toBe(false);
  expect(await isPassword('', null)).toBe(false);
});

it('refuses an attempt if the queue is full', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 502 }, () => queueHashing(() => gate));
  const refused = await queueHashing(() => gate).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, retryAfter: 5 });
  open();
  await Promise.all(waiting);
  expect(await queueHashing(async () => 'again')).toBe('again');
});
