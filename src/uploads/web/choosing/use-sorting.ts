import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { useNow } from '../../../base/web/device/now.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { type Outing, outingsOf } from '../../outings.ts';
import { type Proposal, proposeDates } from '../../sort-by-capture.ts';
import { unsentOf } from '../../upload-queue.ts';
import type { Upload } from '../queue/use-uploader.ts';

/** The most capture times read at once: each is a few short reads, whose answers the page waits for. */
const READ_AT_ONCE = 8;

/** Proposed dates for the selected photos, and the actions on them. */
export interface Sorting {
  readonly proposals: readonly Proposal<PlannedDate>[];
  /** The outings of the photos for which no date is proposed. */
  readonly outings: readonly Outing[];
  /** How many photos were sorted, and can be unsorted again. */
  readonly sorted: number;
  readonly accept: () => void;
  readonly dismiss: () => void;
  readonly undo: () => void;
  /** Keeps the outings that are there: a date that one of them becomes is not proposed for the others of its day. */
  readonly keepOutings: () => void;
}

/**
 * Proposes dates by capture time if no shared date is selected. Nothing is sorted before the user confirms.
 * @param wanted whether the page was opened without a date
 */
export function useSorting(upload: Upload, dates: readonly PlannedDate[] | undefined, wanted: boolean): Sorting {
  const { uploader, queue } = upload;
  const zone = useUser().couple.timeZone;
  const times = useCaptureTimes(upload, zone, wanted);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const now = useNow();
  const open = unsentOf(queue).filter(({ ownDateId }) => ownDateId === null);
  const captured = open.map(({ id }) => ({ id, capturedAt: times.get(id) ?? null }));
  const free = wanted && queue.dateId === null && !queue.running;
  const proposals = proposeDates(free ? captured.filter(({ id }) => !dismissed.has(id)) : [], dates ?? [], zone);
  const proposed = new Set(proposals.flatMap(({ ids }) => ids));
  const isReady = free && dates !== undefined;
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
    sorted: queue.running ? 0 : stillSorted.length,
    accept: () => {
      const found = proposals.flatMap(({ date, ids }) => ids.map((id) => [id, date.id] as const));
      uploader.sort(Object.fromEntries(found));
      setAccepted([...accepted, ...found.map(([id]) => id)]);
    },
    dismiss: () => setDismissed(new Set([...dismissed, ...proposals.flatMap(({ ids }) => ids)])),
    undo: () => {
      uploader.sort(Object.fromEntries(stillSorted.map(({ id }) => [id, null])));
      setDismissed(new Set([...dismissed, ...accepted]));
      setAccepted([]);
    },
    keepOutings: () => setDismissed(new Set([...dismissed, ...outings.flatMap(({ ids }) => ids)])),
  };
}

/** The capture times of the selected photos by id, once all of them are read. */
function useCaptureTimes(
  { uploader, queue }: Upload,
  zone: string,
  wanted: boolean,
): ReadonlyMap<string, number | null> {
  const known = useRef(new Map<string, number | null>());
  const [times, setTimes] = useState<ReadonlyMap<string, number | null>>(new Map());
  const read = useEffectEvent(async (isGone: () => boolean) => {
    // Loaded on demand: only a page without a date needs it.
    const { captureTimeOf } = await import('./capture-times.ts');
    const unread = queue.items.map(({ id }) => id).filter((id) => !known.current.has(id));
    const readNext = async (): Promise<void> => {
      const id = unread.shift();
      const file = id === undefined ? undefined : uploader.fileOf(id);
      if (id === undefined || isGone()) return;
      if (file) known.current.set(id, await captureTimeOf(file, zone));
      return readNext();
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext));
    if (isGone()) return;
    setTimes(new Map(known.current));
  });
  const ids = queue.items.map(({ id }) => id).join();
  useEffect(() => {
    if (!wanted || ids === '') return undefined;
    let gone = false;
    // Offline there are no proposals, and the select works as before.
    read(() => gone).catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [ids, wanted]);
  return times;
}
