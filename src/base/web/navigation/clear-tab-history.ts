/**
 * Goes back to this tab's first history entry of the app and continues from there at `path`, which removes all later
 * entries and the ids and searches in their URLs.
 */
export async function clearTabHistory(path: string): Promise<void> {
  if (!('navigation' in globalThis)) return;
  const entries = navigation.entries();
  const here = navigation.currentEntry?.index ?? 0;
  let first = here;
  while (first > 0 && entries[first - 1]?.sameDocument) first -= 1;
  const start = entries[first];
  if (!start || first === here) return;
  await navigation.traverseTo(start.key).finished;
  history.replaceState(null, '', path);
  history.pushState(null, '', path);
}
