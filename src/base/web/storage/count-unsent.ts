import { cleanText } from '../../clean-text.ts';
import { openOutbox } from './outbox-database.ts';
import { findNotes } from './words.ts';

/** How many of something on this device are of a user, and of others. */
export interface OwnAndOthers {
  readonly own: number;
  readonly others: number;
}

/** What users of this device typed and the server does not have. */
export interface Unsent {
  /** Creates that were made offline. */
  readonly calls: OwnAndOthers;
  /** Notes of date mode. */
  readonly notes: OwnAndOthers;
  /** Words typed into sealed notes and not sent. */
  readonly sealed: OwnAndOthers;
}

/** Counts what was typed here and the server does not have. Throws if the browser can't store anything. */
export async function countUnsent(owner: string): Promise<Unsent> {
  const count = (rows: readonly { readonly owner: string }[]) => {
    const own = rows.filter((row) => row.owner === owner).length;
    return { own, others: rows.length - own };
  };
  const sealed = await findNotes<{ readonly text: string }>('sealed');
  return {
    calls: count(await (await openOutbox()).getAll('calls')),
    notes: count(await findNotes('date-mode')),
    // A draft may have only hearts.
    sealed: count(sealed.filter(({ typed }) => cleanText(typed.text) !== '')),
  };
}
