import { DAY } from '../base/time.ts';

export const strayLimits = {
  /** A stray is deleted this long after it was found, or after an operator confirmed it. */
  graceMs: 30 * DAY,
  /** A younger file may belong to a running upload or import. */
  minAgeMs: DAY,
  /** Fewer strays never stop the sweep. */
  files: 20,
  /** Strays stop the sweep if they are more than this share of all files. */
  share: 0.01,
} as const;

/** The result of a scan of the whole photo store: numbers of files. */
export interface StoreScan {
  readonly files: number;
  /** Files without a row. */
  readonly strays: number;
  /** Strays that no operator has confirmed. */
  readonly unconfirmed: number;
  /** How many unknown couples the unconfirmed strays belong to. */
  readonly unknownCouples: number;
}

/** Why the sweep deletes nothing until an operator has checked. */
export type StopReason = 'otherStore' | 'olderDatabase' | 'unknownCouples' | 'tooMany';

/** Why a scan stops the sweep: it looks like a lost or wrong database, not like leftovers (issue 11, point 1). */
export function stopReasonOf({ files, unconfirmed, unknownCouples }: StoreScan): StopReason | null {
  if (unknownCouples > 0) return 'unknownCouples';
  return unconfirmed >= strayLimits.files && unconfirmed > files * strayLimits.share ? 'tooMany' : null;
}

/** The text of each reason, for the log and the command. */
export const STOP_REASONS: Readonly<Record<StopReason, string>> = {
  otherStore: 'the photo store belongs to another database, or has lost the label that says whose it is',
  olderDatabase: 'the database is older than the photo store: it was put back from a copy, or is a copy itself',
  unknownCouples: 'the photo store has files of couples that the database does not know',
  tooMany: 'more than 1 % of the files in the photo store belong to no memory',
};
