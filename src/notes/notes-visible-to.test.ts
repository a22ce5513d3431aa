import { describe, expect, it } from 'vitest';
import type { UserId } from '../base/ids.ts';
import { notesVisibleTo } from './notes-visible-to.ts';

const [ada, ben] = ['ada', 'ben'] as [UserId, UserId];
const adas = { userId: ada, text: 'We missed the train on purpose.' };
const bens = { userId: ben, text: 'You fell asleep on my shoulder.' };

/** What somebody who has left wrote to Ada. */
const leftToAda = { userId: ada, text: 'Write to me from there.' };

describe('what a partner sees of two notes', { tags: ['notes.1'] }, () => {
  it.each([
    ['nothing, before anyone has written', ada, [], null, null, false, false],
    ['one’s own note, while it is alone', ada, [adas], adas, null, false, false],
    ['that a note waits, and nothing of it', ben, [adas], null, null, true, false],
    ['both, once both have written', ada, [bens, adas], adas, bens, true, true],
    ['both, to either partner', ben, [bens, adas], bens, adas, true, true],
  ] as const)('%s', (_, viewer, notes, mine, theirs, theirsWritten, revealed) => {
    const stored = { notes, leftNotes: [], hasPartner: true };
    expect(notesVisibleTo(viewer, stored)).toEqual({ mine, theirs, theirsWritten, revealed, authorLeft: false });
  });

  it('one’s own note as revealed, without a partner', () => {
    const alone = { notes: [adas], leftNotes: [], hasPartner: false };
    const seen = { mine: adas, theirs: null, theirsWritten: false, revealed: true, authorLeft: false };
    expect(notesVisibleTo(ada, alone)).toEqual(seen);
    expect(notesVisibleTo(ada, { ...alone, notes: [] }).revealed).toBe(false);
  });

  it.each([false, true])(
    'both, if the other one’s writer has left (a new partner: %s)',
    { tags: ['notes.16'] },
    (hasPartner) => {
      const stored = { notes: [adas], leftNotes: [leftToAda], hasPartner };
      const seen = { mine: adas, theirs: leftToAda, theirsWritten: true, revealed: true, authorLeft: true };
      expect(notesVisibleTo(ada, stored)).toEqual(seen);
    },
  );

  it('nothing of the two that were opened before one’s own time, and that no third can be written', {
    tags: ['notes.16'],
  }, () => {
    const stored = { notes: [adas], leftNotes: [leftToAda], hasPartner: true };
    const seen = { mine: null, theirs: null, theirsWritten: true, revealed: true, authorLeft: false };
    expect(notesVisibleTo(ben, stored)).toEqual(seen);
    // A node of an older version may have let it be written.
    expect(notesVisibleTo(ben, { ...stored, notes: [adas, bens] })).toEqual({ ...seen, mine: bens });
  });
});
