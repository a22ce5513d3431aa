import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { SurprisesTable } from '../../base/server/db/tables/tables.ts';
import type { DateStatus } from '../rules.ts';
import { isSealed } from '../surprises.ts';

/** What is stored of a date as a surprise. */
export type SurpriseRow = Pick<SurprisesTable, 'surpriseBy' | 'revealedAt' | 'shownVersion' | 'shownUpdatedAt'>;

/** Reads what is stored of a date as a surprise; undefined if it never was one. */
export function findSurprise(reader: Reader, coupleId: CoupleId, dateId: string): Promise<SurpriseRow | undefined> {
  return reader
    .selectFrom('surprises')
    .select(['surpriseBy', 'revealedAt', 'shownVersion', 'shownUpdatedAt'])
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .executeTakeFirst();
}

/** Saves what changes of a date as a surprise. */
export async function saveSurprise(
  tx: Writer,
  coupleId: CoupleId,
  dateId: string,
  surprise: SurpriseRow,
): Promise<void> {
  await tx
    .insertInto('surprises')
    .values({ coupleId, dateId, ...surprise })
    .onConflict((conflict) => conflict.columns(['coupleId', 'dateId']).doUpdateSet(surprise))
    .execute();
}

/** The parts of a date that show while it is a surprise. */
interface ShownDate {
  readonly status: DateStatus;
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
}

/** What a change makes of a surprise. */
export interface SurpriseChange {
  /** What to save; null if the date never was a surprise. */
  readonly surprise: SurpriseRow | null;
  /** Whether the partner may know that something has changed. */
  readonly isShown: boolean;
}

/**
 * Decides what a change of a date by its planner makes of the surprise: what reveals it reveals it for good, also when it
 * was its time that did, and what doesn't show leaves the version and the time that the partner sees (secrets.surprises.5).
 * @param before the date before the change, with its version
 * @param wanted the request's `surprise`; undefined keeps what it is
 */
export function changeOfSurprise(
  { surprise, ...before }: ShownDate & { readonly version: number; readonly surprise: SurpriseRow | null },
  after: ShownDate,
  { wanted, by, now }: { readonly wanted: boolean | undefined; readonly by: UserId; readonly now: number },
): SurpriseChange {
  const shown = { shownVersion: before.version + 1, shownUpdatedAt: now };
  if (surprise === null) {
    return { surprise: wanted ? { surpriseBy: by, revealedAt: null, ...shown } : null, isShown: true };
  }
  const staysSealed =
    wanted !== false && isSealed({ ...before, ...surprise }, now) && isSealed({ ...after, ...surprise }, now);
  if (!staysSealed) return { surprise: { ...surprise, revealedAt: surprise.revealedAt ?? now }, isShown: true };
  const isShown = before.plannedDateTime !== after.plannedDateTime || before.endDateTime !== after.endDateTime;
  return { surprise: isShown ? { ...surprise, ...shown } : surprise, isShown };
}
