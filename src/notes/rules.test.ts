import { describe, expect, it } from 'vitest';
import type { UserId } from '../base/ids.ts';
import { notesSeenBy } from './rules.ts';

const [ada, ben] = ['ada', 'ben'] as [UserId, UserId];
const adas = { userId: ada, text: 'We missed the train on purpose.' };
const bens = { userId: ben, text: 'You fell asleep on my shoulder.' };

describe('what a partner sees of two notes', () => {
  it.each([
    ['nothing, before anyone has written', ada, [], null, null, false, false],
    ['the own note, while it is alone', ada, [adas], adas, null, false, false],
    ['that a note waits, and nothing of it', ben, [adas], null, null, true, false],
    ['both, once both have written', ada, [bens, adas], adas, bens, true, true],
    ['both, whoever looks', ben, [bens, adas], bens, adas, true, true],
  ] as const)('%s', (_, viewer, notes, mine, theirs, theirsWritten, revealed) => {
    expect(notesSeenBy(viewer, notes, true)).toEqual({ mine, theirs, theirsWritten, revealed });
  });

  it('the own note as revealed, without a partner', () => {
    expect(notesSeenBy(ada, [adas], false)).toEqual({ mine: adas, theirs: null, theirsWritten: false, revealed: true });
    expect(notesSeenBy(ada, [], false).revealed).toBe(false);
  });
});
