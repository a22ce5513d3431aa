import { formatSize } from '../base/number-texts.ts';

/** The message for an upload that would pass the quota (uploads.quota.1). Both in bytes. */
export function spaceFullText(used: number, quota: number): string {
  return `Our space is full: ${formatSize(used)} of ${formatSize(quota)}.`;
}

/** The line of the settings: how much of the quota is used. Both in bytes. */
export function usedSpaceText(used: number, quota: number): string {
  return `Photographs: ${formatSize(used)} of ${formatSize(quota)}`;
}
