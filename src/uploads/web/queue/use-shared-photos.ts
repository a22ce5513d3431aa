import { useEffect, useEffectEvent } from 'react';
import { useSearchFlag } from '../../../base/web/search-params.ts';
import { SHARE } from '../../../base/worker-contract.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { checkEachFile, leftText } from '../../selection.ts';
import { takeShared } from './shared-photos.ts';
import type { Uploader } from './uploader.ts';

/**
 * Adds photos that another app has shared (issue 5), once the unsent photos are known. An upload that resumes does so
 * without them, and they wait for the next one.
 */
export function useSharedPhotos(uploader: Uploader, ready: boolean): void {
  const expected = useSearchFlag(SHARE.flag);
  const notify = useNotify();
  const take = useEffectEvent(async () => {
    const count = await takeShared(async (photos) => {
      const { taken, error } = checkEachFile(
        photos.map(({ id, file }) => ({ ...describe(file), id, file, captured: false })),
      );
      if (error !== null) notify.alert(error);
      const { left, safe } = uploader.addPhotos(taken);
      if (left > 0) notify.alert(leftText(left));
      const refused = photos.filter(({ id }) => !taken.some((one) => one.id === id)).map(({ id }) => id);
      return new Set([...refused, ...(await safe)]);
    });
    if (count === 0 && expected) notify.alert('The shared photographs did not arrive. Please choose them here.');
  });
  useEffect(() => {
    if (ready) take().catch(() => undefined);
  }, [ready]);
}

const describe = ({ name, type, size }: File) => ({ name, type, size });
