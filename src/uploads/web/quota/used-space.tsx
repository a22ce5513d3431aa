import { HardDrive } from 'lucide-react';
import { RuledLine } from '../../../auth/web/settings/ruled-list.tsx';
import { usedSpaceText } from '../../../memories/quota-text.ts';

/** @param usedBytes in bytes, like `quotaBytes`, which is null without a quota */
export function UsedSpace({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number | null }) {
  if (quotaBytes === null) return null;
  const meta = usedBytes < quotaBytes ? 'With those that were deleted in the last 30 days' : 'Our space is full.';
  return <RuledLine icon={<HardDrive />} title={usedSpaceText(usedBytes, quotaBytes)} meta={meta} />;
}
