import { expect, it } from 'vitest';
import { waitingText } from './waiting-text.ts';

it.each([
  [true, 0, false, null],
  [false, 0, false, 'No network here. What we add waits on this device and is sent later.'],
  [false, 2, true, 'No network here. 2 photographs and the note wait on this device and are sent later.'],
  [false, 1, false, 'No network here. 1 photograph waits on this device and is sent later.'],
  [false, 0, true, 'No network here. The note waits on this device and is sent later.'],
  [true, 0, true, 'We cannot reach our album just now. The note waits on this device and is sent later.'],
])(
  'what waits is described in words: online %s, %i photographs, a note %s',
  { tags: ['datemode.13'] },
  (online, photographs, note, text) => {
    expect(waitingText(online, photographs, note)).toBe(text);
  },
);

it.each([
  [true, 0, 1, 'This device couldn’t store 1 photograph. Please keep this page open until it is sent.'],
  [
    false,
    0,
    2,
    'No network here. This device couldn’t store 2 photographs. Please keep this page open until they are sent.',
  ],
  [
    false,
    1,
    1,
    'No network here. 1 photograph waits on this device and is sent later. This device couldn’t store 1 photograph. Please keep this page open until it is sent.',
  ],
])(
  'what the device could not store is described in words: online %s, %i photographs and %i',
  { tags: ['datemode.6'] },
  (online, stored, unstored, text) => {
    expect(waitingText(online, stored, false, unstored)).toBe(text);
  },
);
