import type { User } from '../../../auth/contract.ts';
import type { NotesOfDate } from '../../../notes/contract.ts';
import { LEFT_AUTHOR, theirNameOn } from '../../../notes/rules.ts';
import type { LetterToPrint } from '../../album-pages.ts';

/** What the partners wrote about a date, once it is open: the user's own note first. */
export function printedLetters(notes: NotesOfDate | null, { displayName, partner }: User): LetterToPrint[] {
  if (notes === null || !notes.revealed) return [];
  const { mine, theirs } = notes;
  const theirName = theirNameOn(theirs, partner?.displayName ?? null) ?? LEFT_AUTHOR;
  return [
    ...(mine === null ? [] : [{ text: mine.text, signature: signed(displayName, mine.hearts) }]),
    ...(theirs === null ? [] : [{ text: theirs.text, signature: signed(theirName, theirs.hearts) }]),
  ];
}

/** A name, and the hearts that its writer gives, if any. */
function signed(name: string, hearts: number | null): string {
  return hearts === null ? name : `${name} ${'♥'.repeat(hearts)}`;
}
