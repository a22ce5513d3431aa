import type { UserId } from '../base/ids.ts';

/** The limits of a note: the length of its text in code points, and the hearts that it may give (contract 6, Two notes). */
export const noteLimits = { text: 2000, hearts: 5 } as const;

export const HEARTS_ERROR = `Hearts must be a whole number from 1 to ${noteLimits.hearts}`;

/** Why a note is refused (409). */
export const NOTE_REFUSED = {
  notCompleted: 'Only after a date is completed can notes be written about it.',
  revealed: 'This note has been opened and can no longer be changed.',
} as const;

/** What a partner knows of the two notes of a date. */
export interface SeenNotes<N> {
  readonly mine: N | null;
  /** Null until `revealed`. */
  readonly theirs: N | null;
  readonly theirsWritten: boolean;
  readonly revealed: boolean;
}

/**
 * Decides what a partner may know of the notes of a date: the own note, whether the other one waits, and the other one
 * once both are written. Without a partner, the own note counts as revealed. Every response, event and export goes
 * through here, so that nobody reads a sealed note but its writer (contract 6, Two notes).
 * @param notes the notes of one date, one per partner at most
 * @param hasPartner whether the couple has two partners now
 */
export function notesSeenBy<N extends { readonly userId: UserId }>(
  viewer: UserId,
  notes: readonly N[],
  hasPartner: boolean,
): SeenNotes<N> {
  const mine = notes.find(({ userId }) => userId === viewer) ?? null;
  const theirs = notes.find(({ userId }) => userId !== viewer) ?? null;
  const revealed = mine !== null && (theirs !== null || !hasPartner);
  return { mine, theirs: revealed ? theirs : null, theirsWritten: theirs !== null, revealed };
}
