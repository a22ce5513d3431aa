import type { UserId } from '../base/ids.ts';

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
