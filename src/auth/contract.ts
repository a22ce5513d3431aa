import { z } from 'zod';
import { parseCalendarDate } from '../base/calendar-days.ts';
import { defineCalls } from '../base/call.ts';
import { cleanText, textOrNull } from '../base/clean-text.ts';
import { DATE_FORMATS } from '../base/date-formats.ts';
import { idOut, instantOut, text, zoneName } from '../base/schema.ts';
import { isCommonPassword } from './common-passwords.ts';
import { confirmation } from './confirmation.ts';
import { mailCallsFor } from './mail-contract.ts';
import { oidcCallsFor } from './oidc-contract.ts';
import { passkeyCallsFor } from './passkey-contract.ts';
import { passwordAsTyped } from './password-as-typed.ts';
import { authLimits, isEmail, passwordFault } from './rules.ts';

const partner = z.object({ id: idOut, displayName: z.string() });

const couple = z.object({
  id: idOut,
  togetherSince: z.string().nullable(),
  timeZone: z.string(),
  createdAt: instantOut,
});

const user = z.object({
  id: idOut,
  email: z.string(),
  /** Whether the user has followed a link that was mailed to this address. */
  emailVerified: z.boolean(),
  displayName: z.string(),
  /** How the user reads dates and times. */
  formats: z.enum(DATE_FORMATS),
  partner: partner.nullable(),
  couple,
  /** The ways in which the user can sign in, and so confirm what they do. */
  signIn: z.object({ password: z.boolean(), passkeys: z.int(), oidc: z.boolean() }),
});

const signedIn = z.object({ token: z.string(), expiresAt: instantOut, user });

const device = z.object({
  id: idOut,
  device: z.string(),
  createdAt: instantOut,
  lastUsedAt: instantOut,
  current: z.boolean(),
});

const email = text('Email', { max: authLimits.email }).refine(isEmail, {
  error: 'Email is not an address such as ada@example.org',
});
/** An optional e-mail. Absent, null and blank all leave the stored one unchanged. */
const optionalEmail = z
  .string()
  .nullish()
  .transform((raw) => textOrNull(raw))
  .pipe(email.nullable());
const displayName = text('Name', { max: authLimits.displayName });
const code = z.string({ error: 'Code is required' });

/** A new password, checked against the password rules. */
function newPassword(name: string) {
  return passwordAsTyped(name).superRefine((raw, context) => {
    const fault =
      passwordFault(raw, name) ?? (isCommonPassword(raw) ? `${name} is too common. Please choose another.` : null);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
}

/** An IANA time zone in its canonical spelling, or null if none is given. */
const timeZone = z
  .string()
  .nullish()
  .transform((raw) => textOrNull(raw))
  .pipe(zoneName('Time zone').nullable());

/** A calendar date. Null or blank clears it; absent leaves it unchanged. */
const togetherSince = z
  .string()
  .nullish()
  .transform((raw, context) => {
    if (raw === undefined) return undefined;
    const clean = cleanText(raw ?? '');
    if (clean === '') return null;
    const day = parseCalendarDate(clean);
    if (day !== null) return day;
    context.addIssue({ code: 'custom', message: 'Together since is not a real date' });
    return z.NEVER;
  });

/** One partner's request to delete the whole space. */
const deletion = z.object({ askedBy: partner, askedAt: instantOut, dueAt: instantOut });

/** A link for a new password that one partner made for the other, by their ids. */
const recoveryLink = z.object({ for: idOut, madeBy: idOut, usableAt: instantOut, expiresAt: instantOut });

export type RecoveryLink = z.output<typeof recoveryLink>;
export type Deletion = z.output<typeof deletion>;
export type Couple = z.output<typeof couple>;
export type User = z.output<typeof user>;
export type SignedIn = z.output<typeof signedIn>;
export type Device = z.output<typeof device>;
export type { Passkey } from './passkey-contract.ts';

/** The calls for accounts, sessions and the couple, and its live changes. */
export const authCalls = defineCalls({
  ...passkeyCallsFor(signedIn, confirmation),
  ...mailCallsFor(email),
  ...oidcCallsFor(signedIn, { displayName, email, timeZone }),
  'GET /api/auth/status': {
    summary: 'Whether registration is open, and whether the server sends mail to users',
    access: 'public',
    reply: z.object({
      registration: z.enum(['first', 'open', 'closed']),
      needsSetupCode: z.boolean(),
      mail: z.boolean(),
      /** The OpenID provider: 'Continue with {name}'. */
      oidc: z.object({ name: z.string() }).nullable(),
    }),
  },
  'POST /api/auth/register': {
    summary: 'Create a couple and its first partner',
    access: 'public',
    body: z.object({
      email,
      displayName,
      password: newPassword('Password'),
      timeZone,
      setupCode: z.string().nullish(),
    }),
    reply: signedIn,
    status: 201,
  },
  'POST /api/auth/login': {
    summary: 'Sign in',
    access: 'public',
    also: ['POST /auth/login'],
    body: z.object({ email: text('Email', { max: authLimits.email }), password: passwordAsTyped('Password') }),
    reply: signedIn,
  },
  'GET /api/auth/session': {
    summary: 'Who is signed in',
    reply: z.object({ user, expiresAt: instantOut }),
  },
  'POST /api/auth/renew': {
    summary: 'Issue a token for the session of the cookie, after a reload',
    access: 'renew',
    reply: signedIn,
  },
  'POST /api/auth/logout': { summary: 'Sign this device out', access: 'signOut', reply: null },
  'GET /api/auth/sessions': { summary: "List the user's devices", reply: z.array(device) },
  'DELETE /api/auth/sessions/{id}': { summary: 'Sign a device out', reply: null },
  'PUT /api/auth/profile': {
    summary:
      'Change name, e-mail, and how the user reads dates and times. What is absent or null stays. Where the server sends mail, another e-mail needs the password or a passkey',
    body: z.object({
      ...confirmation,
      displayName: displayName.nullish(),
      email: optionalEmail,
      formats: z.enum(DATE_FORMATS, { error: 'Dates and times must be us or international' }).nullish(),
    }),
    reply: user,
  },
  'PUT /api/auth/password': {
    summary: "Set or change the password, end the user's other sessions and links and, on request, remove the passkeys",
    body: z.object({
      ...confirmation,
      newPassword: newPassword('New password'),
      removePasskeys: z.boolean({ error: 'removePasskeys must be true or false' }).nullish(),
    }),
    reply: null,
  },
  'PUT /api/couple': {
    summary: 'Change the start date and the time zone',
    body: z.object({ togetherSince, timeZone }),
    reply: couple,
  },
  'POST /api/auth/leave': {
    summary: 'Leave the couple; the partner keeps what they made together',
    body: z.object(confirmation),
    reply: null,
  },
  'GET /api/couple/deletion': {
    summary: 'The pending request to delete the whole space, if any',
    reply: deletion.nullable(),
  },
  'POST /api/couple/deletion': {
    summary: 'Ask to delete the whole space in 30 days, or agree to delete it now',
    body: z.object(confirmation),
    reply: deletion.nullable(),
  },
  'DELETE /api/couple/deletion': { summary: 'Withdraw the request to delete the space', reply: null },
  'POST /api/auth/invitations': {
    summary: 'Invite the partner; an older invitation becomes invalid',
    reply: z.object({ code: z.string(), url: z.string(), expiresAt: instantOut }),
    status: 201,
  },
  'GET /api/auth/invitations/{code}': {
    summary: 'The name of the partner who sent the invitation',
    access: 'public',
    reply: z.object({ inviterName: z.string(), expiresAt: instantOut }),
  },
  'POST /api/auth/join': {
    summary: 'Join the inviter as the second partner',
    access: 'public',
    body: z.object({ code, email, displayName, password: newPassword('Password') }),
    reply: signedIn,
    status: 201,
  },
  'GET /api/auth/recovery': {
    summary: 'The links for a new password that the partners have made for each other',
    reply: z.array(recoveryLink),
  },
  'POST /api/auth/recovery': {
    summary: 'Make a link with which the other partner sets a new password; it works after 24 hours',
    reply: z.object({ url: z.string(), usableAt: instantOut, expiresAt: instantOut }),
    status: 201,
  },
  'POST /api/auth/recovery/agree': {
    summary: 'Let the link that the partner made for this user work at once, for an hour',
    reply: null,
  },
  'DELETE /api/auth/recovery': {
    summary: 'Stop the links for a new password that the partners have made',
    reply: null,
  },
  'POST /api/auth/recovery/{code}': {
    summary:
      "Set a new password, end all of that user's sessions and links and, unless they are kept, remove the passkeys",
    access: 'public',
    body: z.object({
      newPassword: newPassword('New password'),
      keepPasskeys: z.boolean({ error: 'keepPasskeys must be true or false' }).nullish(),
    }),
    reply: null,
  },
  'GET /api/events': {
    summary: 'A live stream of changes',
    produces: 'text/event-stream',
    reply: z.object({
      entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
      id: idOut,
      action: z.enum(['created', 'updated', 'deleted']),
      by: idOut,
    }),
  },
});
