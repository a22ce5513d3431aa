import { useQuery } from '@tanstack/react-query';
import { HardDrive } from 'lucide-react';
import { Line } from '../../../auth/web/settings/setting.tsx';
import { usedSpaceText } from '../../../memories/quota-text.ts';
import { memoryKeys } from '../../../memories/web/queries.ts';
import { uploadApi } from '../api.ts';

/** How much of its quota the couple uses, as far as the user may know; nothing without a quota (uploads.quota.6). */
export function SpaceLine() {
  const { data } = useQuery({
    queryKey: [...memoryKeys.all, 'used space'],
    queryFn: () => uploadApi('GET /api/Memories/upload-info'),
  });
  return data === undefined ? null : <UsedSpace {...data} />;
}

/** @param usedBytes in bytes, like `quotaBytes`, which is null without a quota */
export function UsedSpace({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number | null }) {
  if (quotaBytes === null) return null;
  const meta = usedBytes < quotaBytes ? 'With those that were deleted in the last 30 days' : 'Our space is full.';
  return <Line icon={<HardDrive />} title={usedSpaceText(usedBytes, quotaBytes)} meta={meta} />;
}
