/**
 * How long `npm test` takes on this machine, in a sentence. On two idle cores it takes twenty minutes; the tests of the
 * cluster and the waiting in journeys don't get faster with more.
 */
export function describeTestDuration(cores: number): string {
  const minutes = Math.max(10, Math.round(40 / cores / 5) * 5);
  return `The tests take about ${minutes} minutes with ${cores} ${cores === 1 ? 'core' : 'cores'}. (\`npm run check\` takes half a minute and needs none of this.)`;
}
