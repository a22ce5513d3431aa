/** The median; of an even number of values, the lower of the middle two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest of the values that is at least as large as this share of them. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
}

/** The milliseconds that some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The median of what rounds of some work measure, after some that warm up. */
export async function medianOf(rounds: number, warmUp: number, measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) figures.push(await measure());
  return median(figures.slice(warmUp));
}
