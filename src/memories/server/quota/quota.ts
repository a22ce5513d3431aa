/** Marks a couple that may keep any number of bytes, whatever `QUOTA` says. */
const UNLIMITED = -1;

/**
 * How many bytes of originals a couple may keep.
 * @param own what the operator has set for the couple, as stored
 * @param usual `QUOTA`, or null
 * @returns null for no limit
 */
export function quotaOf(own: number | null, usual: number | null): number | null {
  if (own === null) return usual;
  return own === UNLIMITED ? null : own;
}
