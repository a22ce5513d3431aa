import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../base/server/deps.ts';
import { hashOfSecret } from './secrets.ts';
import { hasUsers } from './store.ts';

/** Without the letters that are taken for digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 80 random bits in groups of four, another one each time the server starts. */
const code = [...randomBytes(16)]
  .map((byte) => LETTERS.charAt(byte % LETTERS.length))
  .join('')
  .replace(/(.{4})(?=.)/g, '$1-');

/**
 * Whether the first registration must show that it comes from whoever started the server: where anybody in the network
 * could be quicker (contract 2).
 */
export async function needsSetupCode({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<boolean> {
  return config.registration !== 'closed' && !isLoopback(config.host) && !(await hasUsers(db.read));
}

/** Whether this is the code, typed with or without its hyphens and in whatever case. */
export function isSetupCode(raw: unknown): boolean {
  if (typeof raw !== 'string') return false;
  const digest = (text: string) => Buffer.from(hashOfSecret(text.replace(/[\s-]/g, '').toUpperCase()), 'hex');
  return timingSafeEqual(digest(raw), digest(code));
}

/** Prints the setup code where one is needed. To be called once the server listens. */
export async function announceSetupCode(deps: Pick<Deps, 'config' | 'db'>): Promise<void> {
  if (await needsSetupCode(deps)) process.stdout.write(`Setup code: ${code}\n`);
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
