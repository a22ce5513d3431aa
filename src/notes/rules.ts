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
