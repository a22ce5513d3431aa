/** A text between two positions that someone changed. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The one stretch in which `now` differs from `before`; null if they are the same. */
function editOf(before: string, now: string): Edit | null {
  if (before === now) return null;
  const most = Math.min(before.length, now.length);
  let from = 0;
  while (from < most && before[from] === now[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  return { from, to: before.length - same, text: now.slice(from, now.length - same) };
}

/** Joins two texts with a line break, unless the first is empty. */
function lines(first: string, second: string): string {
  return first.trim() === '' ? second.trimStart() : `${first.trimEnd()}\n${second.trimStart()}`;
}

/** What was typed into a note. */
export interface NoteChange {
  /** The note on which the typing began. */
  readonly base: string;
  readonly text: string;
  /** The last attempt to save it, if its answer is not known: what was typed then, and the whole note that was sent. */
  readonly sent: { readonly text: string; readonly note: string } | null;
}

/** Merges what was typed with the server's note. */
export function mergeInto(theirs: string, { base, text, sent }: NoteChange): string {
  // Only the answer was lost: the server's note holds what was typed until then.
  return mergeNotes(sent?.note === theirs ? sent.text : base, text, theirs);
}

/**
 * Merges two changes of one note. Changes in different places are both made. Where both partners
 * wrote in the same place, theirs comes first and ours follows on a line of its own: typed words are never lost.
 * @param base the note that both started from
 */
export function mergeNotes(base: string, ours: string, theirs: string): string {
  const [mine, other] = [editOf(base, ours), editOf(base, theirs)];
  if (mine === null || ours === theirs) return theirs;
  if (other === null) return ours;
  const [first, last] = mine.from < other.from ? [mine, other] : [other, mine];
  if (first.to <= last.from && first.from !== last.from) {
    return base.slice(0, first.from) + first.text + base.slice(first.to, last.from) + last.text + base.slice(last.to);
  }
  if (mine.text === '') return theirs;
  const at = other.from + other.text.length;
  const isInsertion = mine.from === mine.to && other.from === other.to;
  return isInsertion ? lines(theirs.slice(0, at), mine.text) + theirs.slice(at) : lines(theirs, mine.text);
}

/** Where the caret belongs after a text has changed elsewhere: it stays between the same words. */
export function movedCaret(before: string, now: string, caret: number): number {
  const edit = editOf(before, now);
  if (edit === null || caret <= edit.from) return caret;
  const moved = caret - edit.to + edit.from + edit.text.length;
  return Math.max(edit.from, Math.min(moved, now.length));
}
