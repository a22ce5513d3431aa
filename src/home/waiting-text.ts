import { plural } from '../base/text.ts';

/** What is said of photographs of date mode that this device could not store. */
export function unstoredText(photographs: number): string {
  const until = photographs === 1 ? 'it is' : 'they are';
  return `This device couldn’t store ${plural(photographs, 'photograph')}. Please keep this page open until ${until} sent.`;
}

/** What is said of photographs of date mode that the server refused and this device could not store. */
export function refusedOnlyHereText(photographs: number): string {
  const be = photographs === 1 ? 'is' : 'are';
  return `${plural(photographs, 'photograph')} could not be saved, and ${be} only on this page. Please make space on this device, and keep this page open.`;
}

/**
 * What waits for the network in date mode: 'No network here. 2 photographs and the note wait on this device and are sent
 * later.' Null if there is nothing to say.
 * @param unstored how many more photographs wait on this page only
 */
export function waitingText(online: boolean, photographs: number, note: boolean, unstored = 0): string | null {
  const things = [photographs > 0 && plural(photographs, 'photograph'), note && 'the note'].filter(
    (thing) => thing !== false,
  );
  const start = online ? 'We cannot reach our album just now.' : 'No network here.';
  const onlyHere = unstored > 0 ? [unstoredText(unstored)] : [];
  if (things.length === 0) {
    if (unstored > 0) return [...(online ? [] : [start]), ...onlyHere].join(' ');
    return online ? null : 'No network here. What we add waits on this device and is sent later.';
  }
  const isOne = photographs + Number(note) === 1;
  const words = things.join(' and ');
  const waits = `${words.charAt(0).toUpperCase()}${words.slice(1)} ${isOne ? 'waits' : 'wait'} on this device and ${isOne ? 'is' : 'are'} sent later.`;
  return [start, waits, ...onlyHere].join(' ');
}
