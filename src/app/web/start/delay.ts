/** Waits for `ms` milliseconds. The default of 0 only yields to the browser. */
export function delay(ms = 0): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
