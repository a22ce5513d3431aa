import { cleanText, textLength } from '../base/text.ts';

/** The limits of accounts (contract 2), in code points, milliseconds and tries. */
export const authLimits = {
  displayName: 60,
  email: 254,
  passwordMin: 10,
  passwordMax: 256,
  tries: 10,
  /** Failures of a device that is signed in: it is never locked out, but nobody guesses for ever. */
  deviceTries: 100,
  triesWindow: 15 * 60_000,
  /** Couples that one address may register within the same 15 minutes. */
  registrations: 20,
  /** Passkey challenges that one address may ask for within them. */
  challenges: 100,
  sessionIdle: 30 * 86_400_000,
  sessionMax: 180 * 86_400_000,
  /** How long a bearer token is good, and how many a session may have at once. */
  token: 3_600_000,
  tokens: 100,
  invitation: 7 * 86_400_000,
  recovery: 3_600_000,
  /** How long the other partner has, once one has asked to delete everything. */
  deletionNotice: 30 * 86_400_000,
  partners: 2,
  passkeys: 20,
  /** How long a passkey's challenge may wait for its answer. */
  challenge: 5 * 60_000,
} as const;

export const WRONG_LOGIN = 'Wrong email or password.';

/** An e-mail as it is compared: trimmed, NFC, without case (contract 2). */
export function emailKey(email: string): string {
  return cleanText(email).toLowerCase().normalize('NFC');
}

/** Whether a cleaned text can be an e-mail: something, one @, something, and no spaces. Only a letter could prove more. */
export function isEmail(clean: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(clean);
}

/**
 * What is wrong with the length of a password to be set, or null. It is counted as it was typed, untrimmed, in code
 * points; NFC, since keyboards write the same letter in different ways.
 */
export function passwordFault(password: string, name = 'Password'): string | null {
  const length = textLength(password.normalize('NFC'));
  if (length === 0) return `${name} is required`;
  if (length < authLimits.passwordMin) return `${name} must be at least ${authLimits.passwordMin} characters`;
  if (length > authLimits.passwordMax) return `${name} cannot exceed ${authLimits.passwordMax} characters`;
  return null;
}

/** When a session ends by itself, in milliseconds: 30 days after its last use, 180 after its first (contract 2). */
export function sessionEnd(session: { readonly createdAt: number; readonly lastUsedAt: number }): number {
  return Math.min(session.lastUsedAt + authLimits.sessionIdle, session.createdAt + authLimits.sessionMax);
}

/**
 * One more try, after those at `times` (ascending milliseconds). Either it is free, and `times` are those that still
 * count, with it; or the limit was reached within the last 15 minutes, and `wait` is how many milliseconds remain.
 */
export function takeTry(
  times: readonly number[],
  now: number,
  limit: number = authLimits.tries,
): { readonly wait: 0; readonly times: readonly number[] } | { readonly wait: number; readonly times: null } {
  const counting = times.filter((time) => time > now - authLimits.triesWindow);
  const oldest = counting[counting.length - limit];
  if (oldest === undefined) return { wait: 0, times: [...counting, now] };
  return { wait: oldest + authLimits.triesWindow - now, times: null };
}

/**
 * Whether a call and what came of it belong in the log of security events: everything that changes who may come in,
 * and every refusal of somebody who may not (ASVS 16.3). Not what a page asks by itself when it is loaded.
 */
export function isSecurityEvent(name: string, status: number): boolean {
  const changes = /^(POST|PUT|DELETE) \/api\/(auth\/|couple\/deletion$)/.test(name) && name !== 'POST /api/auth/renew';
  return changes || status === 401 || status === 403 || status === 429;
}
