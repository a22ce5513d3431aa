import { notFound, Refusal } from '../../../base/refusal.ts';
import type { Answer } from '../../../base/server/calls/answer.ts';
import { assertIfMatch } from '../../../base/server/calls/if-match.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { PlannedDate } from '../../contract.ts';
import { type DateAction, isAllowed, REFUSED } from '../../rules.ts';
import { type DateChanges, type DateRow, lockDate, updateDate } from '../date-store.ts';
import { changeOfSurprise, findSurprise, saveSurprise } from '../surprise-store.ts';
import { refuseHidden } from '../visibility-store.ts';
import { hasDate } from '../visible-dates.ts';
import { announceDate } from './announce-date.ts';
import { answerWithDate } from './answer-with-date.ts';
import type { DateDeps } from './date-deps.ts';

/** A call about one date. */
export interface DateRequest {
  readonly params: { readonly id: string };
  readonly session: Session;
  readonly now: number;
  readonly ifMatch: string | undefined;
}

/** The checks of a call against the current row, besides its status. */
interface DateChecks {
  /** Throws 403 for what only one partner may ask for. This comes after the 409 for a hidden date. */
  readonly permit?: (before: DateRow) => void;
  /** Throws 400 for the request. This comes before the 409 for the status. */
  readonly validate?: (before: DateRow) => void;
  /** Returns why the row forbids the call (409), or undefined. This comes after the status. */
  readonly forbid?: (before: DateRow) => string | undefined;
}

/** What a call checks and changes of a date. */
export interface DateChange extends DateChecks {
  readonly action: DateAction;
  /** Returns the changes of the current row. */
  readonly to: (before: DateRow) => DateChanges;
  /** Whether the request wants it to be a surprise; undefined keeps what it is. */
  readonly surprise?: boolean | undefined;
  /** Runs in the transaction, once the date is changed. */
  readonly afterwards?: (tx: Writer, before: DateRow) => Promise<void>;
}

/** The route of a call that changes one date and answers with it. @param describe returns what the request changes */
export function changeDate<Body>(
  deps: DateDeps,
  describe: (dateRequest: DateRequest & { readonly body: Body }) => DateChange,
) {
  return {
    checkEarly: (dateRequest: Pick<DateRequest, 'params' | 'session'>) => assertDateExists(deps, dateRequest),
    handle: async (dateRequest: DateRequest & { readonly body: Body }) =>
      applyChange(deps, dateRequest, describe(dateRequest)),
  };
}

/** @throws Refusal 404 if the couple has no such date */
export async function assertDateExists(
  { db }: Pick<DateDeps, 'db'>,
  { params, session }: Pick<DateRequest, 'params' | 'session'>,
): Promise<void> {
  if (!(await hasDate(db.read, session.coupleId, params.id))) throw notFound('Planned date');
}

/**
 * Changes a date in one transaction. A change of a surprise that doesn't show is announced to its planner alone.
 * @returns the changed date
 */
async function applyChange(
  deps: DateDeps,
  dateRequest: DateRequest,
  { action, to, surprise, afterwards, ...checks }: DateChange,
): Promise<Answer<PlannedDate>> {
  const { session, now } = dateRequest;
  const { coupleId, userId } = session;
  return deps.db.write(async (tx) => {
    const before = await lockForCall(tx, action, dateRequest, checks);
    const stored = (await findSurprise(tx, coupleId, before.id)) ?? null;
    const changes = to(before);
    const after = changeOfSurprise(
      { ...before, surprise: stored },
      { ...before, ...changes },
      { wanted: surprise, by: userId, now },
    );
    const isRevealed = stored?.revealedAt !== after.surprise?.revealedAt;
    if (await updateDate(tx, coupleId, before, changes, now, isRevealed)) {
      if (after.surprise !== null) await saveSurprise(tx, coupleId, before.id, after.surprise);
      if (hasOtherTimes(before, changes)) await deps.photos.updateHappenedAtOf(tx, coupleId, { ...before, ...changes });
      await afterwards?.(tx, before);
      await announceDate(deps, tx, 'updated', before.id, { ...session, only: after.isShown ? undefined : userId });
    }
    return answerWithDate(tx, deps, session, { id: before.id, now });
  });
}

/** Whether the actual times change, which memories without a capture time follow. */
function hasOtherTimes(before: DateRow, changes: DateChanges): boolean {
  const { actualStartTime: start, actualEndTime: end } = { ...before, ...changes };
  return start !== before.actualStartTime || end !== before.actualEndTime;
}

/**
 * Locks the date and checks existence (404), that it isn't hidden from the partner (409), that the user may ask for this
 * (403), the request (400), its status (409) and the ETag (412), in this order.
 */
export async function lockForCall(
  tx: Writer,
  action: DateAction,
  { params, session, ifMatch, now }: DateRequest,
  { permit, validate, forbid }: DateChecks = {},
): Promise<DateRow> {
  const before = await lockDate(tx, session.coupleId, params.id);
  if (!before) throw notFound('Planned date');
  await refuseHidden(tx, session, before.id, now);
  permit?.(before);
  validate?.(before);
  const refusal = isAllowed(before.status, action) ? forbid?.(before) : REFUSED[action];
  if (refusal !== undefined) throw new Refusal(409, refusal);
  assertIfMatch(ifMatch, before);
  return before;
}
