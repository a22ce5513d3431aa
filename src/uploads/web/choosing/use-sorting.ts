import { useState } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { useNow } from '../../../base/web/device/now.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { type Outing, outingsOf } from '../../outings.ts';
import { type Proposal, proposeDates } from '../../sort-by-capture.ts';
import { unsentOf } from '../../upload-queue.ts';
import type { Upload } from '../queue/use-uploader.ts';
import { useCaptureTimes } from './use-capture-times.ts';

/** Proposed dates for the selected photos, and the actions on them. */
export interface Sorting {
  readonly proposals: readonly Proposal<PlannedDate>[];
  /** The outings of the photos for which no date is proposed. */
  readonly outings: readonly Outing[];
  /** How many photos were sorted, and can be unsorted again. */
  readonly sortedCount: number;
  readonly accept: () => void;
  readonly dismiss: () => void;
  readonly undo: () => void;
  /** Proposes no date for these outings from now on: one becomes a date, which would fit the others of its day. */
  readonly stopProposingForOutings: () => void;
}

/**
 * Proposes dates by capture time if no shared date is selected. Nothing is sorted before the user confirms.
 * @param isWithoutDate whether the page was opened without a date
 */
export function useSorting(upload: Upload, dates: readonly PlannedDate[] | undefined, isWithoutDate: boolean): Sorting {
  const { uploader, queue } = upload;
  const zone = useUser().couple.timeZone;
  const times = useCaptureTimes(upload, zone, isWithoutDate);
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const now = useNow();
  const open = unsentOf(queue).filter(({ ownDateId }) => ownDateId === null);
  const captured = open.map(({ id, isUnproposed }) => ({ id, isUnproposed, capturedAt: times.get(id) ?? null }));
  const isFree = isWithoutDate && queue.dateId === null && !queue.isRunning;
  const proposals = proposeDates(isFree ? captured.filter(({ isUnproposed }) => !isUnproposed) : [], dates ?? [], zone);
  const proposed = new Set(proposals.flatMap(({ ids }) => ids));
  const isReady = isFree && dates !== undefined;
  const outings = isReady
    ? outingsOf(
        captured.filter(({ id }) => !proposed.has(id)),
        now,
      )
    : [];
  const stillSorted = unsentOf(queue).filter(({ id, ownDateId }) => ownDateId !== null && accepted.includes(id));
  return {
    proposals,
    outings,
    sortedCount: queue.isRunning ? 0 : stillSorted.length,
    accept: () => {
      const found = proposals.flatMap(({ date, ids }) => ids.map((id) => [id, date.id] as const));
      uploader.assignDates(Object.fromEntries(found));
      setAccepted([...accepted, ...found.map(([id]) => id)]);
    },
    dismiss: () => uploader.proposeNone(proposals.flatMap(({ ids }) => ids)),
    undo: () => {
      uploader.assignDates(Object.fromEntries(stillSorted.map(({ id }) => [id, null])));
      uploader.proposeNone(accepted);
      setAccepted([]);
    },
    stopProposingForOutings: () => uploader.proposeNone(outings.flatMap(({ ids }) => ids)),
  };
}
