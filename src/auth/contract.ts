import { z } from 'zod';
import { parseCalendarDate } from '../base/calendar.ts';
import { calls } from '../base/call.ts';
import { idOut, instantOut, text } from '../base/schema.ts';
import { cleanText, hasForbiddenCharacter, textOrNull } from '../base/text.ts';
import { parseTimeZone } from '../base/time.ts';
import { isCommonPassword } from './common-passwords.ts';
import { passkeyCallsFor } from './passkey-contract.ts';
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
  displayName: z.string(),
  partner: partner.nullable(),
  couple,
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
/** An e-mail that stays as it was where it is absent, null or blank. */
const keptEmail = z
  .string()
  .nullish()
  .transform((raw) => textOrNull(raw))
  .pipe(email.nullable());
const displayName = text('Name', { max: authLimits.displayName });
const code = z.string({ error: 'Code is required' });

/** A password as it is typed, neither trimmed nor judged: it is compared with one that was. */
function password(name: string) {
  return z
    .string({ error: `${name} is required` })
    .refine((raw) => !hasForbiddenCharacter(raw), { error: `${name} holds a character that cannot be kept` });
}

/** A password to be set (contract 2). */
function newPassword(name: string) {
  return password(name).superRefine((raw, context) => {
    const fault =
      passwordFault(raw, name) ??
      (isCommonPassword(raw) ? `${name} is one of the commonest of all; please choose another` : null);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
}

/** An IANA name as the platform writes it; null where none is given. */
const timeZone = z
  .string()
  .nullish()
  .transform((raw, context) => {
    const clean = textOrNull(raw);
    if (clean === null) return null;
    const zone = parseTimeZone(clean);
    if (zone !== null) return zone;
    context.addIssue({ code: 'custom', message: 'Time zone is not one that we know, such as Europe/Rome' });
    return z.NEVER;
  });

/** A calendar date; null (or blank) clears it, absent it stays. */
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

/** One partner's wish to delete the whole space. */
const deletion = z.object({ askedBy: partner, askedAt: instantOut, dueAt: instantOut });

export type Deletion = z.output<typeof deletion>;
export type Couple = z.output<typeof couple>;
export type User = z.output<typeof user>;
export type SignedIn = z.output<typeof signedIn>;
export type Device = z.output<typeof device>;
export type { Passkey } from './passkey-contract.ts';

/** Accounts, sessions, the couple (contract 2), and its live changes (contract 3). */
export const authCalls = calls({
  ...passkeyCallsFor(signedIn, password('Current password')),
  'GET /api/auth/status': {
    summary: 'Whether somebody may register here',
    access: 'public',
    reply: z.object({ registration: z.enum(['first', 'open', 'closed']), needsSetupCode: z.boolean() }),
  },
  'POST /api/auth/register': {
    summary: 'Make a couple and its first partner',
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
    body: z.object({ email: text('Email', { max: authLimits.email }), password: password('Password') }),
    reply: signedIn,
  },
  'GET /api/auth/session': {
    summary: 'Who is signed in',
    reply: z.object({ user, expiresAt: instantOut }),
  },
  'POST /api/auth/renew': {
    summary: 'A token for the session of the cookie, after a reload',
    access: 'renew',
    reply: signedIn,
  },
  'POST /api/auth/logout': { summary: 'Sign this device out', reply: null },
  'GET /api/auth/sessions': { summary: "The user's devices", reply: z.array(device) },
  'DELETE /api/auth/sessions/{id}': { summary: 'Sign a device out', reply: null },
  'PUT /api/auth/profile': {
    summary: 'Change name and e-mail',
    body: z.object({ displayName, email: keptEmail }),
    reply: user,
  },
  'PUT /api/auth/password': {
    summary: "Change the password; the user's other sessions end, and on request the passkeys go",
    body: z.object({
      currentPassword: password('Current password'),
      newPassword: newPassword('New password'),
      removePasskeys: z.boolean({ error: 'removePasskeys must be true or false' }).nullish(),
    }),
    reply: null,
  },
  'PUT /api/couple': {
    summary: 'Change since when they are together, and their time zone',
    body: z.object({ togetherSince, timeZone }),
    reply: couple,
  },
  'POST /api/auth/leave': {
    summary: 'Leave the couple; the other keeps everything',
    body: z.object({ currentPassword: password('Current password') }),
    reply: null,
  },
  'GET /api/couple/deletion': {
    summary: 'Who asked that the whole space be deleted, and when it will be',
    reply: deletion.nullable(),
  },
  'POST /api/couple/deletion': {
    summary: 'Ask that the whole space be deleted in 30 days, or agree, and it is at once',
    body: z.object({ currentPassword: password('Current password') }),
    reply: deletion.nullable(),
  },
  'DELETE /api/couple/deletion': { summary: 'Take back the wish to delete', reply: null },
  'POST /api/auth/invitations': {
    summary: 'Invite the partner; an older invitation is void',
    reply: z.object({ code: z.string(), url: z.string(), expiresAt: instantOut }),
    status: 201,
  },
  'GET /api/auth/invitations/{code}': {
    summary: 'Who invites',
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
  'POST /api/auth/recovery': {
    summary: 'A link by which the other partner sets a new password',
    reply: z.object({ url: z.string(), expiresAt: instantOut }),
    status: 201,
  },
  'POST /api/auth/recovery/{code}': {
    summary: "Set a new password; all that user's sessions end",
    access: 'public',
    body: z.object({ newPassword: newPassword('New password') }),
    reply: null,
  },
  'GET /api/events': {
    summary: 'What the partners change, live',
    produces: 'text/event-stream',
    reply: z.object({
      entity: z.enum(['dateIdea', 'plannedDate', 'memory', 'couple']),
      id: idOut,
      action: z.enum(['created', 'updated', 'deleted']),
      by: idOut,
    }),
  },
});
