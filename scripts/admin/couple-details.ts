import type { CoupleAccount, Member } from '../../src/auth/server/operator/couple-list.ts';
import { formatInstant } from '../../src/base/instants.ts';
import { formatSize, plural } from '../../src/base/number-texts.ts';
import { countDatesOfCouples } from '../../src/dates/server/count-dates-of-couples.ts';
import { readKeptBy } from '../../src/memories/server/count-store.ts';
import { quotaOf } from '../../src/memories/server/quota/quota.ts';
import { printLine } from '../lib/command.ts';
import type { Stores } from '../lib/stores.ts';
import { type AdminInput, coupleNamed } from './admin-command.ts';

/** What the operator sees of a couple: numbers and times, no texts and no photographs. Times are ISO 8601. */
export interface CoupleEntry {
  readonly id: string;
  /** The first letters of the partners' names. */
  readonly initials: string;
  readonly created: string;
  /** Null if no device is signed in. */
  readonly lastUsed: string | null;
  /** Without the trash. */
  readonly dates: number;
  readonly memories: number;
  /** Of all originals, trash included, as the quota counts them. */
  readonly bytes: number;
  /** In bytes; null for no limit. */
  readonly quota: number | null;
  readonly suspended: boolean;
}

/** A couple with its partners. */
export interface CoupleDetails extends CoupleEntry {
  readonly members: readonly { readonly email: string; readonly createdAt: string; readonly lastUsed: string | null }[];
}

/** Reads what to show of these couples, with the same number of queries for any number of couples. */
export async function readEntries(
  { db, config }: Stores,
  couples: readonly CoupleAccount[],
): Promise<readonly CoupleEntry[]> {
  if (couples.length === 0) return [];
  const ids = couples.map(({ id }) => id);
  const [dates, kept] = await Promise.all([countDatesOfCouples(db.read, ids), readKeptBy(db.read, ids)]);
  return couples.map((couple) => ({
    id: couple.id,
    initials: couple.members.map(initialOf).join(''),
    created: formatInstant(couple.createdAt),
    lastUsed: lastUseOf(couple.members),
    dates: dates.get(couple.id) ?? 0,
    memories: kept.get(couple.id)?.memories ?? 0,
    bytes: kept.get(couple.id)?.bytes ?? 0,
    quota: quotaOf(couple.quotaBytes, config.quotaBytes),
    suspended: couple.suspendedAt !== null,
  }));
}

export async function readDetails(stores: Stores, couple: CoupleAccount): Promise<CoupleDetails> {
  const [entry] = await readEntries(stores, [couple]);
  if (!entry) throw new Error('One couple has one entry');
  const members = couple.members.map((member) => ({
    email: member.email,
    createdAt: formatInstant(member.createdAt),
    lastUsed: lastUseOf([member]),
  }));
  return { ...entry, members };
}

function initialOf({ displayName }: Member): string {
  const [first] = new Intl.Segmenter('en').segment(displayName);
  return (first?.segment ?? '').toUpperCase();
}

function lastUseOf(members: readonly Member[]): string | null {
  const last = Math.max(...members.map(({ lastUsedAt }) => lastUsedAt ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(last) ? formatInstant(last) : null;
}

/** Says what was done to the couple that a command names, or prints the couple as JSON. */
export async function printDone(stores: Stores, input: AdminInput, text: string): Promise<void> {
  if (input.json) printDetails(await readDetails(stores, await coupleNamed(stores, input)), true);
  else printLine(text);
}

/** Prints a couple for the operator, or as JSON. */
export function printDetails(details: CoupleDetails, json: boolean): void {
  if (json) return printLine(JSON.stringify(details, null, 2));
  const { members, bytes, quota, ...entry } = details;
  printLine(`ID         ${entry.id}`);
  printLine(`Initials   ${entry.initials}`);
  printLine(`Created    ${entry.created}`);
  printLine(`Last used  ${entry.lastUsed ?? 'no device is signed in'}`);
  printLine(`Keeps      ${plural(entry.dates, 'date')}, ${plural(entry.memories, 'photograph')}, ${formatSize(bytes)}`);
  printLine(`Quota      ${quota === null ? 'none' : formatSize(quota)}`);
  printLine(`Suspended  ${entry.suspended ? 'yes' : 'no'}`);
  for (const { email, createdAt, lastUsed } of members) {
    printLine(`Member     ${email}, since ${createdAt}, last used ${lastUsed ?? '-'}`);
  }
}
