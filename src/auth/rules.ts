import { cleanText, textLength } from '../base/clean-text.ts';
import { DAY, HOUR, MINUTE } from '../base/durations.ts';

/** The limits of accounts. Lengths are in code points, times in milliseconds. */
export const authLimits = {
  displayName: 60,
  email: 254,
  passwordMin: 10,
  passwordMax: 256,
  tries: 10,
  /** Failed attempts allowed on a signed-in device. It is never locked out, but guessing is still bounded. */
  deviceTries: 100,
  triesWindow: 15 * MINUTE,
  /** Couples that one address may register within `triesWindow`. */
  registrations: 20,
  /** Passkey challenges that one address may request within `triesWindow`. */
  challenges: 100,
  sessionIdle: 30 * DAY,
  sessionMax: 180 * DAY,
  /** Lifetime of a bearer token, and how many a session may have at once. */
  token: HOUR,
  tokens: 100,
  invitation: 7 * DAY,
  /** Lifetime of a link for a new password that the operator made, that was mailed, or to which its user has agreed. */
  recovery: HOUR,
  /** How long a partner's link waits, so that the other can stop it, and its lifetime from then on. */
  partnerRecoveryDelay: DAY,
  partnerRecovery: DAY,
  /** How many links for a new password are mailed to one address in an hour. */
  recoveryMails: 3,
  /** Lifetime of a mailed link that confirms an address, and how many a user gets in a day. */
  confirmation: DAY,
  confirmations: 10,
  /** How many invitations a couple may mail in a day. */
  invitationMails: 5,
  /** How many notices of one kind a user gets by mail in a day. */
  notices: 20,
  /** Notice period between one partner's request to delete the space and its deletion. */
  deletionNotice: 30 * DAY,
  partners: 2,
  passkeys: 20,
  /** Lifetime of a passkey challenge. */
  challenge: 5 * MINUTE,
  /** How long a browser may be away at an OpenID provider, and then take for a name and an e-mail. */
  oidcVisit: 10 * MINUTE,
} as const;

/** Said where a password is chosen. */
export const PASSWORD_LENGTH = `At least ${authLimits.passwordMin} characters.`;

export const WRONG_LOGIN = 'Wrong email or password.';

/** Normalizes an e-mail for comparison: trimmed, NFC, lower case. */
export function emailKey(email: string): string {
  return cleanText(email).toLowerCase().normalize('NFC');
}

/** Whether a cleaned text looks like an e-mail: text, one @, text, and no spaces. Only a delivered message could prove more. */
export function isEmail(clean: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(clean);
}

/**
 * The error message for the length of a new password, or null. The length is counted untrimmed, in code points of the
 * NFC form, because keyboards encode the same letter in different ways.
 */
export function passwordFault(password: string, name = 'Password'): string | null {
  const length = textLength(password.normalize('NFC'));
  if (length === 0) return `${name} is required`;
  if (length < authLimits.passwordMin) return `${name} must be at least ${authLimits.passwordMin} characters`;
  if (length > authLimits.passwordMax) return `${name} cannot exceed ${authLimits.passwordMax} characters`;
  return null;
}

/** When a session expires, in milliseconds: 30 days after its last use, at most 180 days after its creation (accounts.sessions.9). */
export function sessionEnd(session: { readonly createdAt: number; readonly lastUsedAt: number }): number {
  return Math.min(session.lastUsedAt + authLimits.sessionIdle, session.createdAt + authLimits.sessionMax);
}
