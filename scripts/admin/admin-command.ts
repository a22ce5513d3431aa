import { type CoupleAccount, findCouple } from '../../src/auth/server/operator/couple-list.ts';
import { findAccount } from '../../src/auth/server/user-store.ts';
import { CommandError } from '../lib/command.ts';
import type { Stores } from '../lib/stores.ts';

/** One of the commands of `npm run admin`. */
export interface AdminCommand {
  /** Its arguments, as the usage names them. */
  readonly usage: string;
  /** How many arguments it needs. */
  readonly arguments: 0 | 1 | 2;
  /** The options that it takes beside `--json`. */
  readonly options: readonly ('yes' | 'password')[];
  /** Does it, and prints what it did: with `json` as one JSON value. */
  readonly run: (stores: Stores, input: AdminInput) => Promise<void>;
}

export interface AdminInput {
  readonly arguments: readonly string[];
  readonly json: boolean;
  readonly yes: boolean;
  readonly password: boolean;
}

/** Finds the couple that a command names by its id or the e-mail address of a partner. @throws CommandError without it */
export async function coupleNamed({ db }: Stores, { arguments: [name = ''] }: AdminInput): Promise<CoupleAccount> {
  const couple = await findCouple(db.read, name);
  if (!couple) throw new CommandError(`No couple has the email address or the ID ${name}.`);
  return couple;
}

/** Finds the user that a command names by the e-mail address. @throws CommandError without it */
export async function userNamed({ db }: Stores, { arguments: [email = ''] }: AdminInput) {
  const account = await findAccount(db.read, email);
  if (!account) throw new CommandError(`No account has the email address ${email}.`);
  return { coupleId: account.coupleId, userId: account.id };
}
