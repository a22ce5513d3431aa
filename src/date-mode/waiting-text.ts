import { plural } from '../base/number-texts.ts';

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
export function waitingText(isOnline: boolean, photographs: number, hasNote: boolean, unstored = 0): string | null {
  const things = [photographs > 0 && plural(photographs, 'photograph'), hasNote && 'the note']
    .filter(Boolean)
    .join(' and ');
  if (things === '' && unstored === 0)
    return isOnline ? null : 'No network here. What we add waits on this device and is sent later.';
  const [wait, are] = photographs + Number(hasNote) === 1 ? ['waits', 'is'] : ['wait', 'are'];
  const sentences = [
    !isOnline && 'No network here.',
    isOnline && things !== '' && 'We cannot reach our album just now.',
    things !== '' &&
      `${things.charAt(0).toUpperCase()}${things.slice(1)} ${wait} on this device and ${are} sent later.`,
    unstored > 0 && unstoredText(unstored),
  ];
  return sentences.filter(Boolean).join(' ');
}
