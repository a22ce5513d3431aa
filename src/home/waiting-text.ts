import { plural } from '../base/text.ts';

/**
 * What waits for the network in date mode: 'No network here. 2 photographs and the note wait on this device and are sent
 * later.' Null if there is nothing to say.
 */
export function waitingText(online: boolean, photographs: number, note: boolean): string | null {
  const things = [photographs > 0 && plural(photographs, 'photograph'), note && 'the note'].filter(
    (thing) => thing !== false,
  );
  if (things.length === 0)
    return online ? null : 'No network here. What we add waits on this device and is sent later.';
  const isOne = photographs + Number(note) === 1;
  const words = things.join(' and ');
  const start = online ? 'We cannot reach our album just now.' : 'No network here.';
  return `${start} ${words.charAt(0).toUpperCase()}${words.slice(1)} ${isOne ? 'waits' : 'wait'} on this device and ${isOne ? 'is' : 'are'} sent later.`;
}
