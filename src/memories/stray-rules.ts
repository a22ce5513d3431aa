import { DAY } from '../base/time.ts';

export const strayLimits = {
  /** A stray is deleted so long after it was found, and after an operator confirmed it. */
  graceMs: 30 * DAY,
  /** A younger file may belong to an upload or an import that is running. */
  minAgeMs: DAY,
  /** From so many on, strays may stop the sweep. */
  files: 20,
  /** They stop it where they are more than this share of all files. */
  share: 0.01,
} as const;

/** What a look over the whole photo store found. */
export interface StoreScan {
  readonly files: number;
  /** Files that no row knows. */
  readonly strays: number;
  /** Those of them that no operator has confirmed. */
  readonly unconfirmed: number;
  /** The couples of the unconfirmed ones that the database does not know. */
  readonly unknownCouples: number;
}

/** Why the sweep deletes nothing until an operator has looked. */
export type StopReason = 'otherStore' | 'olderDatabase' | 'unknownCouples' | 'tooMany';

/** Whether what was found looks like a lost or wrong database rather than like leftovers (issue 11, point 1). */
export function stopReasonOf({ files, unconfirmed, unknownCouples }: StoreScan): StopReason | null {
  if (unknownCouples > 0) return 'unknownCouples';
  return unconfirmed >= strayLimits.files && unconfirmed > files * strayLimits.share ? 'tooMany' : null;
}

/** What each reason means, for the log and the command. */
export const STOP_REASONS: Readonly<Record<StopReason, string>> = {
  otherStore: 'the photo store belongs to another database, or has lost the label that says whose it is',
  olderDatabase: 'the database is older than the photo store: it was put back from a copy, or is a copy itself',
  unknownCouples: 'the photo store has files of couples that the database does not know',
  tooMany: 'more than 1 % of the files in the photo store belong to no memory',
};
