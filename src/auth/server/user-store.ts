import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { OwnerGone } from '../../base/server/db/faults.ts';
import type { UsersTable } from '../../base/server/db/tables/tables.ts';
import type { Config } from '../../base/server/process/config.ts';
import type { User } from '../contract.ts';
import { emailKey } from '../rules.ts';
import { readCouple } from './couple/couple-store.ts';
import { findConnection } from './oidc/connection-store.ts';
import { listPasskeys } from './passkeys/passkey-store.ts';
import { NO_PASSWORD } from './sign-in/passwords.ts';

/** Whether anybody has registered on this server. */
export async function hasUsers(reader: Reader): Promise<boolean> {
  return (await reader.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export interface Account {
  readonly coupleId: CoupleId;
  readonly id: UserId;
  readonly passwordHash: string;
}

/** Finds the account of an e-mail, ignoring case. Used before sign-in: its row gives the couple's id. */
export function findAccount(reader: Reader, email: string): Promise<Account | undefined> {
  return reader
    .selectFrom('users')
    .select(['coupleId', 'id', 'passwordHash'])
    .where('emailKey', '=', emailKey(email))
    .executeTakeFirst();
}

/** An account with how its user is called and reached. */
export type AccountOfUser = Account & Pick<UsersTable, 'email' | 'emailKey' | 'displayName'>;

/** @throws OwnerGone if the account was deleted */
export function getAccount(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<AccountOfUser> {
  return reader
    .selectFrom('users')
    .select(['coupleId', 'id', 'passwordHash', 'email', 'emailKey', 'displayName'])
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(() => new OwnerGone());
}

/** Reads a user in the contract's shape, with the partner and the couple. @throws OwnerGone if the account was deleted */
export async function readUser(
  reader: Reader,
  { oidc }: Pick<Config, 'oidc'>,
  coupleId: CoupleId,
  userId: UserId,
): Promise<User> {
  const partners = await reader
    .selectFrom('users')
    .select(['id', 'email', 'emailKey', 'verifiedEmail', 'displayName', 'formats', 'passwordHash'])
    .where('coupleId', '=', coupleId)
    .execute();
  const self = partners.find(({ id }) => id === userId);
  if (!self) throw new OwnerGone();
  const other = partners.find(({ id }) => id !== userId);
  const { id, email, displayName, formats } = self;
  return {
    id,
    email,
    emailVerified: isVerified(self),
    displayName,
    formats: formats ?? 'us',
    partner: other ? { id: other.id, displayName: other.displayName } : null,
    couple: await readCouple(reader, coupleId),
    signIn: {
      password: self.passwordHash !== NO_PASSWORD,
      passkeys: (await listPasskeys(reader, coupleId, userId)).length,
      oidc: oidc !== null && (await findConnection(reader, coupleId, userId))?.issuer === oidc.issuer,
    },
  };
}

/** Whether the user has confirmed the address that is theirs now. */
export function isVerified({ emailKey: key, verifiedEmail }: Pick<UsersTable, 'emailKey' | 'verifiedEmail'>): boolean {
  return verifiedEmail !== null && emailKey(verifiedEmail) === key;
}

/** Records the address that a user has confirmed; null for none. */
export async function setVerifiedEmail(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  email: string | null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ verifiedEmail: email })
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .execute();
}

export async function partnersOf(reader: Reader, coupleId: CoupleId): Promise<readonly UserId[]> {
  const rows = await reader.selectFrom('users').select('id').where('coupleId', '=', coupleId).execute();
  return rows.map(({ id }) => id);
}

interface Person {
  readonly email: string;
  readonly displayName: string;
}

/** Inserts a new partner of a couple. @returns the id, or null if the e-mail is taken */
export async function insertUser(
  tx: Writer,
  coupleId: CoupleId,
  person: Person & { readonly passwordHash: string },
  now: number,
): Promise<UserId | null> {
  const id = uuidv7() as UserId;
  const { email, displayName, passwordHash } = person;
  const inserted = await tx
    .insertInto('users')
    .values({ coupleId, id, email, emailKey: emailKey(email), displayName, passwordHash, createdAt: now })
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n ? id : null;
}

/** Changes a name, an e-mail, or how dates and times are read. @throws a unique violation if the e-mail is taken */
export async function updateUser(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  changes: Partial<Pick<UsersTable, 'email' | 'displayName' | 'formats'>>,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...changes, ...(changes.email === undefined ? {} : { emailKey: emailKey(changes.email) }) })
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .execute();
}

export async function updatePassword(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  passwordHash: string,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ passwordHash })
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .execute();
}

/**
 * Locks a user's row until the transaction ends, so that a sign-in and a call that ends all sessions run one after the
 * other.
 * @returns false if the user no longer exists
 */
export async function lockUser(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ id: sql<UserId>`id` })
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Locks a user's row until the transaction ends. @returns false if the password has changed */
export async function lockAccount(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ passwordHash })
    .where('coupleId', '=', coupleId)
    .where('id', '=', userId)
    .where('passwordHash', '=', passwordHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The display names of the couple, by user id. */
export async function displayNames(reader: Reader, coupleId: CoupleId): Promise<Map<UserId, string>> {
  const rows = await reader
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('coupleId', '=', coupleId)
    .execute();
  return new Map(rows.map((row) => [row.id, row.displayName]));
}
