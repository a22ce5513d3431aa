import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { uuidv4 } from 'uuidv7';
import { plural } from '../../../base/number-texts.ts';
import { repeatOrMake } from '../../../base/repeatable-request.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { createOnce } from '../../../base/web/net/create-once.ts';
import { outingBody } from '../../../dates/outing-body.ts';
import type { SuggestedIdea } from '../../../dates/past-form.ts';
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
  /** The ideas of outings that were added here. Another outing of the same title belongs to the same idea. */
  const added = useRef<SuggestedIdea[]>([]);

  const addOne = async ({ outing, words: { attempt: last, ...words } }: DescribedOuting) => {
    const { ids, start, end } = outing;
    const makeBody = () => outingBody({ ...words, start, end }, [...ideas, ...added.current]);
    const attempt = repeatOrMake(last, { ...words, ids }, uuidv4(), makeBody);
    await write(outing, { ...words, attempt });
    const { body, key } = attempt;
    try {
      const call = () => dateApi('POST /api/PlannedDates/past', { body }, { idempotencyKey: key });
      const { id, dateIdea } = await createOnce(call);
      if (dateIdea.id !== null)
        added.current.push({ id: dateIdea.id, title: dateIdea.title, category: words.category });
      upload.uploader.assignDates(Object.fromEntries(ids.map((photo) => [photo, id])));
    } catch (error) {
      if (asApiError(error).isRefusal) await write(outing, words);
      throw error;
    }
    await write(outing, null);
  };
  /** Returns whether all of them were added. */
  const add = async (chosen: readonly DescribedOuting[]): Promise<boolean> => {
    if (isAdding) return false;
    setFailure(null);
    let count = 0;
    try {
      for (const one of chosen) {
        setProgress({ done: count, of: chosen.length });
        await addOne(one);
        count += 1;
      }
    } catch (error) {
      const { isUnanswered, serverMessage } = asApiError(error);
      setFailure((isUnanswered ? null : serverMessage) ?? 'Failed to add date. Please try again.');
    }
    if (count > 0) {
      notify.status(`${plural(count, 'date')} added to our story.`, { label: 'See our story', href: paths.ourStory });
      void queryClient.invalidateQueries();
    }
    setProgress(null);
    return count === chosen.length;
  };
  return { add, progress, isAdding, failure, dismiss: () => setFailure(null) };
}
