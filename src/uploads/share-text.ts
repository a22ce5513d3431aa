/** How many photos another app has shared, and how many of them the device has stored. */
export interface Share {
  readonly stored: number;
  readonly of: number;
}

/** Reads a share from the page's address. Null if it does not say how many, or something else than a count. */
export function readShare(stored: string | null, of: string | null): Share | null {
  const isCount = (text: string | null) => /^\d{1,4}$/.test(text ?? '');
  const share = { stored: Number(stored), of: Number(of) };
  return isCount(stored) && isCount(of) && share.stored <= share.of ? share : null;
}

/**
 * The message after a share of which not everything arrived, or null.
 * @param arrived how many shared photos the page has found on the device
 */
export function shareText(arrived: number, share: Share | null): string | null {
  if (arrived === 0) return 'The shared photographs did not arrive. Please choose them here.';
  const stored = Math.min(arrived, share?.stored ?? arrived);
  if (share === null || stored >= share.of) return null;
  const others = share.of - stored === 1 ? 'the other one' : 'the others';
  return `Only ${stored} of ${share.of} shared photographs arrived. Please choose ${others} here.`;
}
