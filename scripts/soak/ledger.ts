/** What the client knows about a request: 'unknown' if no clear response arrived. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** A requested record, identified by a unique label. */
export interface LedgerEntry {
  readonly label: string;
  readonly created: Outcome;
  /** The outcome of its deletion; null if none was requested. */
  readonly deleted: Outcome | null;
}

/** How many entries have each outcome. */
export function countOutcomes(entries: readonly LedgerEntry[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { acknowledged: 0, refused: 0, unknown: 0 };
  for (const { created } of entries) counts[created] += 1;
  return counts;
}

/**
 * Compares the stored records with the requests: no acknowledged record may be missing, no refused, deleted, or
 * never requested record may exist, and none twice. Requests with an unknown outcome may have happened or not.
 * @returns the broken promises, one sentence each
 */
export function findBrokenRecords(entries: readonly LedgerEntry[], storedLabels: readonly string[]): string[] {
  const broken: string[] = [];
  const counts = new Map<string, number>();
  for (const label of storedLabels) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const { label, created, deleted } of entries) {
    const count = counts.get(label) ?? 0;
    counts.delete(label);
    if (count > 1) broken.push(`${label} exists ${count} times.`);
    if (count > 0 && created === 'refused') broken.push(`${label} was refused but exists.`);
    if (count > 0 && deleted === 'acknowledged') broken.push(`${label} was deleted but exists.`);
    const mayBeGone = deleted === 'acknowledged' || deleted === 'unknown';
    if (count === 0 && created === 'acknowledged' && !mayBeGone)
      broken.push(`${label} was acknowledged but is missing.`);
  }
  for (const label of counts.keys()) broken.push(`${label} exists but was never requested.`);
  return broken;
}
