import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { dropMailsAbout, insertMail, timesOfMails } from '../../../base/server/mail/mail-queue.ts';
import { isMailOn } from '../../../base/server/mail/send-mails.ts';
import { authLimits } from '../../rules.ts';
import { mailWait, throwIfTooManyMails } from './mail-limit.ts';
import { readMailPerson } from './read-mail-person.ts';

/** A user, as a mail is about them. */
export interface MailedUser {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/** What a user gets a mail about because it changes who can sign in as them. */
export type NoticeKind =
  | 'partnerRecovery'
  | 'newPassword'
  | 'newEmail'
  | 'newPasskey'
  | 'removedPasskey'
  | 'newProvider'
  | 'removedProvider'
  | 'newDevice';

/** The other ways to sign in that were removed with an old password. */
export interface RemovedWays {
  readonly passkeys: boolean;
  readonly provider: boolean;
}

/** What the notice of a new password is about: what else was removed. */
export function aboutRemoved({ passkeys, provider }: RemovedWays): string | null {
  const removed = [...(passkeys ? ['passkeys'] : []), ...(provider ? ['provider'] : [])];
  return removed.length === 0 ? null : removed.join(' ');
}

/** What queues mails for users. */
export type MailDeps = Pick<Deps, 'config' | 'now'>;

/**
 * Tells a user by mail of something that concerns their signing in, in the transaction that does it. It does nothing where
 * users get no mail, or after 20 of its kind in a day.
 * @param about an id or a name, by the kind: of the link, the device, the passkey or the provider
 * @param address where to, if not to the user's address
 */
export async function tellByMail(
  { config, now }: MailDeps,
  tx: Writer,
  { coupleId, userId }: MailedUser,
  kind: NoticeKind,
  about: string | null = null,
  address?: string,
): Promise<void> {
  if (!isMailOn(config)) return;
  const user = { coupleId, userId };
  if (kind === 'partnerRecovery') {
    // The calls that make such links are limited, so that each gets its mail. One mail waits at a time, about the newest link.
    await dropMailsAbout(tx, user, kind, now());
  } else if ((await timesOfMails(tx, user, kind, now())).length >= authLimits.notices) return;
  const to = address ?? (await readMailPerson(tx, user))?.email;
  if (to !== undefined) await insertMail(tx, { kind, address: to, about, user }, now());
}

/** @throws Refusal 429 if the user got mails about 20 links of the partner in a day, and would get none about another */
export async function assertCanTellOfLink({ config, now }: MailDeps, tx: Writer, user: MailedUser): Promise<void> {
  if (!isMailOn(config)) return;
  const at = now();
  throwIfTooManyMails(mailWait(await timesOfMails(tx, user, 'partnerRecovery', at), authLimits.notices, at));
}
