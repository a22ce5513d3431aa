import type { UserId } from '../base/ids.ts';

/** The limits of a note: the length of its text in code points, and the hearts that it may give (notes.2). */
export const noteLimits = { text: 2000, hearts: 5 } as const;

export const HEARTS_ERROR = `Hearts must be a whole number from 1 to ${noteLimits.hearts}`;

/** The name of a note's writer who has left: the real one is deleted with the account. */
export const LEFT_AUTHOR = 'A partner who left';

/** The name under which the other partner's note is shown: of a partner who has left, the present one's is wrong. */
export function theirNameOn(
  theirs: { readonly authorLeft?: true | undefined } | null,
  partner: string | null,
): string | null {
  return theirs?.authorLeft ? LEFT_AUTHOR : partner;
}

/** Why a note is refused (409). */
export const NOTE_REFUSED = {
  notCompleted: 'Only after a date is completed can notes be written about it.',
  revealed: 'This note has been opened and can no longer be changed.',
  beforeJoining: 'The two notes of this date were written and opened before you joined.',
} as const;

/** What a partner knows of the two notes of a date. */
export interface VisibleNotes<N> {
  readonly mine: N | null;
  /** Null until `revealed`. */
  readonly theirs: N | null;
  readonly theirsWritten: boolean;
  readonly revealed: boolean;
  /** Whether the writer of `theirs` has left. */
  readonly authorLeft: boolean;
}

/** The notes of a date as stored, and whether the couple has two partners now. */
export interface StoredNotes<N> {
  /** One per partner at most. */
  readonly notes: readonly N[];
  /** The opened notes of partners who have left, each under the id of the partner for whom it was opened. */
  readonly leftNotes: readonly N[];
  readonly hasPartner: boolean;
}

/**
 * Decides what a partner may know of the notes of a date: their own note, whether the other one waits, and the other one
 * once both are written. Without a partner, one's own note counts as revealed. Two notes that were opened stay open for those
 * who wrote them: a partner who stays keeps the other one's, and a partner who joins later sees neither and adds none.
 * Every response, event and export goes through here, so that nobody reads a sealed note but its writer (notes.16).
 */
export function notesVisibleTo<N extends { readonly userId: UserId }>(
  viewer: UserId,
  { notes, leftNotes, hasPartner }: StoredNotes<N>,
): VisibleNotes<N> {
  const mine = notes.find(({ userId }) => userId === viewer) ?? null;
  const left = leftNotes.find(({ userId }) => userId === viewer);
  if (left) return { mine, theirs: left, theirsWritten: true, revealed: true, authorLeft: true };
  const theirs = notes.find(({ userId }) => userId !== viewer) ?? null;
  // Opened with a partner who has left.
  const isOfOthers = leftNotes.some(({ userId }) => userId === theirs?.userId);
  const isOpen = mine !== null && (theirs !== null || !hasPartner);
  return {
    mine,
    theirs: isOpen && !isOfOthers ? theirs : null,
    theirsWritten: theirs !== null,
    revealed: isOpen || isOfOthers,
    authorLeft: false,
  };
}
