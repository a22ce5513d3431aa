import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { uuidv4 } from 'uuidv7';
import { plural } from '../../../base/number-texts.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { createOnce } from '../../../base/web/net/create-once.ts';
import { outingBody } from '../../../dates/outing-body.ts';
import { dateApi } from '../../../dates/web/api.ts';
import type { DateIdea } from '../../../ideas/contract.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { paths } from '../../../paths.ts';
import type { OutingWords } from '../../outing-words.ts';
import type { Outing } from '../../outings.ts';
import type { Upload } from '../queue/use-uploader.ts';

/** An outing and what was written about it. */
export interface DescribedOuting {
  readonly outing: Outing;
  readonly words: OutingWords;
}

/** Adds outings as past dates, to which their photos belong from then on (uploads.outings.2). */
export function useAddOutings(
  upload: Upload,
  ideas: readonly DateIdea[],
  write: (outing: Outing, next: OutingWords | null) => Promise<void>,
) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  /** How many of how many are added; null while none are. */
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(null);
  const isAdding = progress !== null;
  const [failure, setFailure] = useState<string | null>(null);

  const addOne = async ({ outing, words }: DescribedOuting) => {
    const body = outingBody({ ...words, start: outing.start, end: outing.end }, ideas);
    const text = JSON.stringify(body);
    const attempt = words.attempt?.body === text ? words.attempt : { key: uuidv4(), body: text };
    await write(outing, { ...words, attempt });
    const options = { idempotencyKey: attempt.key };
    const { id } = await createOnce(() => dateApi('POST /api/PlannedDates/past', { body }, options));
    upload.uploader.assignDates(Object.fromEntries(outing.ids.map((photo) => [photo, id])));
    await write(outing, null);
  };
  /** Returns whether all of them were added. */
  const add = async (chosen: readonly DescribedOuting[]): Promise<boolean> => {
    if (isAdding) return false;
    setFailure(null);
    let added = 0;
    try {
      for (const one of chosen) {
        setProgress({ done: added, of: chosen.length });
        await addOne(one);
        added += 1;
      }
    } catch (error) {
      const { isUnanswered, serverMessage } = asApiError(error);
      setFailure((isUnanswered ? null : serverMessage) ?? 'Failed to add date. Please try again.');
    }
    if (added > 0) {
      notify.status(`${plural(added, 'date')} added to our story.`, { label: 'See our story', href: paths.ourStory });
      void queryClient.invalidateQueries();
    }
    setProgress(null);
    return added === chosen.length;
  };
  return { add, progress, isAdding, failure, dismiss: () => setFailure(null) };
}
