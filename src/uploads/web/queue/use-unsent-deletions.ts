import { type Question, useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { type UploadItem, unsentOf } from '../../upload-queue.ts';
import { deletionText, nowhereElseText } from '../../upload-texts.ts';
import { storingOf } from './store-shot.ts';
import type { Uploader } from './uploader.ts';

/**
 * What deletes photos that are not uploaded. Photos taken here exist nowhere else, so each asks about them first. Chosen
 * ones are still where they were chosen. Each resolves to whether the photos are deleted.
 */
export interface UnsentDeletions {
  readonly remove: (id: string) => Promise<boolean>;
  /** Removes those that failed, to leave the page: it also asks about those that exist only on this page. */
  readonly removeFailed: () => Promise<boolean>;
  readonly clear: () => Promise<boolean>;
  /** Deletes those that can be restored. */
  readonly discard: () => Promise<boolean>;
}

export function useUnsentDeletions(uploader: Uploader): UnsentDeletions {
  const confirm = useConfirm();
  const askAndDelete = async (shots: number, deleteThem: () => void) => {
    if (shots > 0 && !(await confirm(deletionOf(shots)))) return false;
    deleteThem();
    return true;
  };
  const countShots = (isDeleted: (item: UploadItem) => boolean) =>
    unsentOf(uploader.queue.get()).filter((item) => item.captured && isDeleted(item)).length;
  const isLostByLeaving = ({ id, state }: UploadItem) => state === 'failed' || storingOf(id) === 'failed';
  return {
    remove: (id) =>
      askAndDelete(
        countShots((item) => item.id === id),
        () => uploader.remove(id),
      ),
    removeFailed: () => askAndDelete(countShots(isLostByLeaving), () => uploader.removeFailed()),
    clear: () =>
      askAndDelete(
        countShots(() => true),
        () => uploader.clear(),
      ),
    discard: () => askAndDelete(uploader.keptShots(), () => void uploader.discardUnsent()),
  };
}

const deletionOf = (shots: number): Question => ({
  question: deletionText(shots),
  detail: nowhereElseText(shots),
  verb: 'Delete',
});
