import { useEffect, useEffectEvent, useState } from 'react';
import { SHARE } from '../../../base/share-contract.ts';
import { setSearchParams, useSearchFlag, useSearchValue } from '../../../base/web/navigation/search-params.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { checkEachFile } from '../../check-files.ts';
import { readShare, type Share, shareText } from '../../share-text.ts';
import { leftText } from '../../upload-texts.ts';
import { takeShared } from './shared-photos.ts';
import type { Uploader } from './uploader.ts';

/**
 * Adds photos that another app has shared, once the unsent photos are known. An upload that resumes does so
 * without them, and they wait for the next one.
 */
export function useSharedPhotos(uploader: Uploader, userId: string, isReady: boolean): void {
  const expected = useSearchFlag(SHARE.flag);
  const [shareId] = useSearchValue(SHARE.id);
  const share = useShare();
  const notify = useNotify();
  const take = useEffectEvent(async () => {
    const { count, left: waiting } = await takeShared({ userId, share: shareId }, async (photos) => {
      const { taken, error } = checkEachFile(
        photos.map(({ id, file }) => ({ ...describe(file), id, file, captured: false })),
      );
      if (error !== null) notify.alert(error);
      const { left, safe } = uploader.addPhotos(taken);
      if (left > 0) notify.alert(leftText(left));
      const refused = photos.filter(({ id }) => !taken.some((one) => one.id === id)).map(({ id }) => id);
      return new Set([...refused, ...(await safe)]);
    });
    const missing = expected ? shareText(count, share) : null;
    if (missing !== null) notify.alert(missing);
    // A reload finds what still waits.
    if (waiting === 0) setSearchParams({ [SHARE.id]: null });
  });
  useEffect(() => {
    if (isReady) take().catch(() => undefined);
  }, [isReady]);
}

/** How much has arrived, as the page's address says. It is removed from the address. */
function useShare(): Share | null {
  const [stored] = useSearchValue(SHARE.stored);
  const [of] = useSearchValue(SHARE.of);
  const [share] = useState(() => readShare(stored, of));
  useEffect(() => setSearchParams({ [SHARE.stored]: null, [SHARE.of]: null }), []);
  return share;
}

const describe = ({ name, type, size }: File) => ({ name, type, size });
