/** What is known of something that was asked to be made, or to be deleted. */
export type Fate = 'acknowledged' | 'refused' | 'unknown';

/** A thing that was asked for, by the mark that it bears: no two have the same. */
export interface Asked {
  readonly mark: string;
  readonly made: Fate;
  /** What became of the wish to delete it; null where nobody wished it. */
  readonly deleted: Fate | null;
}

/**
 * Whether what is there fits what was acknowledged: nothing that was is missing, nothing that was refused or never
 * asked for is there, and nothing is there twice. What was cut off on its way may have happened or not.
 * @returns what is wrong, a sentence each
 */
export function judge(asked: readonly Asked[], there: readonly string[]): string[] {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  for (const mark of there) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  for (const { mark, made, deleted } of asked) {
    const count = counts.get(mark) ?? 0;
    counts.delete(mark);
    if (count > 1) faults.push(`${mark} is there ${count} times.`);
    if (count > 0 && made === 'refused') faults.push(`${mark} was refused, and is there.`);
    if (count > 0 && deleted === 'acknowledged') faults.push(`${mark} was deleted, and is there.`);
    const mayBeGone = deleted === 'acknowledged' || deleted === 'unknown';
    if (count === 0 && made === 'acknowledged' && !mayBeGone) faults.push(`${mark} was acknowledged, and is lost.`);
  }
  for (const mark of counts.keys()) faults.push(`${mark} is there, and nobody asked for it.`);
  return faults;
}
