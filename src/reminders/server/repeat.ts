/** Repeats a batch until it reports that nothing is left. */
export async function repeat(mayContinue: () => boolean, batch: () => Promise<boolean>): Promise<void> {
  while (mayContinue() && (await batch()));
}
