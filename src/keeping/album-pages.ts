import { fillPage, lowestRow, type PhotographToPrint, type PrintedRow } from './fill-page.ts';
import { GAPS, PAGE, SEALED_NOTE } from './print-sizes.ts';

/** A date begins on a new page if less than this is left, in millimeters like all lengths here. */
const DATE_NEEDS = PAGE.height / 3;
/** Two letters that are lower than this stay on one page. */
const KEPT_TOGETHER = PAGE.height / 2;
/** The lowest part of a text at the end of a page. */
const LEAST_TEXT = 24;

/** The texts whose height depends on their width. */
export type TextKind = 'caption' | 'words' | 'letter' | 'signature';

/** Returns the height of a text that is as wide as given. */
export type MeasureText = (kind: TextKind, text: string, width: number) => number;

/** A date to print. */
export interface DateToPrint {
  /** The height of its ticket. */
  readonly heading: number;
  readonly words: string | null;
  readonly photographs: readonly PhotographToPrint[];
  readonly letters: readonly LetterToPrint[];
}

/** What a partner wrote, and what stands below it. */
export interface LetterToPrint {
  readonly text: string;
  readonly signature: string;
}

/** A part of a page. It belongs to a date of the input, by its number, and `gap` is left above it. */
export type PagePart = { readonly date: number; readonly gap: number } & PartOfDate;

type PartOfDate =
  | { readonly kind: 'heading' }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'row'; readonly row: PrintedRow }
  | { readonly kind: 'letters'; readonly pieces: readonly LetterPiece[] };

/** What a page has of a letter: nothing if its text ended on an earlier one. */
interface LetterPiece {
  readonly text: string;
  readonly isEnd: boolean;
}

/**
 * Lays out an album: returns what is on each page, from top to bottom. A page has no more than it has room for, and only
 * texts go on on the next one (keeping.print.3).
 */
export function albumPages(dates: readonly DateToPrint[], measure: MeasureText): PagePart[][] {
  const pages = new Pages();
  dates.forEach((date, n) => {
    beginDate(pages, n, date, measure);
    placeWords(pages, date.words ?? '', measure);
    placePhotographs(pages, date, { measure, next: dates[n + 1] });
    placeLetters(pages, date.letters, measure);
  });
  return pages.all;
}

/** The pages so far, and how much is left of the last one. */
class Pages {
  readonly all: PagePart[][] = [];
  private left = 0;
  private date = 0;

  /** Begins a page. */
  turn(): void {
    this.all.push([]);
    this.left = PAGE.height;
  }

  get isEmpty(): boolean {
    return this.all.at(-1)?.length === 0;
  }

  /** What is left below a gap. */
  roomBelow(gap: number): number {
    return this.left - (this.isEmpty ? 0 : gap);
  }

  get room(): number {
    return this.roomBelow(GAPS.block);
  }

  beginDate(date: number, height: number): void {
    this.date = date;
    this.place({ kind: 'heading' }, height, GAPS.date);
  }

  place(part: PartOfDate, height: number, before: number = GAPS.block): void {
    const gap = this.isEmpty ? 0 : before;
    this.all.at(-1)?.push({ ...part, gap, date: this.date });
    this.left -= gap + height;
  }
}

/** Places the ticket of a date, on a page that has room for some more of it. */
function beginDate(pages: Pages, n: number, date: DateToPrint, measure: MeasureText): void {
  if (pages.all.length === 0 || pages.roomBelow(0) < needOf(date, measure)) pages.turn();
  pages.beginDate(n, date.heading);
}

/** What has to be left of a page for a date to begin on it. */
function needOf(date: DateToPrint, measure: MeasureText): number {
  return Math.max(DATE_NEEDS, GAPS.date + date.heading + startHeight(date, measure));
}

/** The height of what stands below the ticket of a date on the same page. */
function startHeight({ words, photographs, letters }: DateToPrint, measure: MeasureText): number {
  const whole = words === null ? 0 : GAPS.block + measure('words', words, PAGE.width);
  if (photographs.length > 0) return whole + GAPS.block + lowestRow(photographs, captionsBy(measure));
  if (words !== null) return Math.min(GAPS.block + LEAST_TEXT, whole);
  return letters.length === 0 ? 0 : GAPS.block + Math.min(KEPT_TOGETHER, lettersHeight(letters, measure));
}

function captionsBy(measure: MeasureText) {
  return (caption: string, width: number) => measure('caption', caption, width);
}

function placeWords(pages: Pages, words: string, measure: MeasureText): void {
  const heightOf = (text: string) => measure('words', text, PAGE.width);
  for (let rest = words; rest !== ''; ) {
    const [text, more] = splitText(rest, pages.room, heightOf);
    if (text !== '') pages.place({ kind: 'words', text }, heightOf(text));
    if (more !== '') pages.turn();
    rest = more;
  }
}

function placePhotographs(
  pages: Pages,
  date: DateToPrint,
  { measure, next }: { readonly measure: MeasureText; readonly next: DateToPrint | undefined },
): void {
  const { photographs, letters } = date;
  const whole = lettersHeight(letters, measure);
  const page = {
    after: whole === 0 || whole > KEPT_TOGETHER ? 0 : whole + GAPS.block,
    enough: next === undefined ? 0 : needOf(next, measure),
    captionHeight: captionsBy(measure),
  };
  for (let from = 0; from < photographs.length; ) {
    const rows = fillPage(photographs, from, { ...page, height: pages.room, isEmpty: pages.isEmpty });
    for (const row of rows) pages.place({ kind: 'row', row }, row.height);
    from += rows.reduce((sum, { prints }) => sum + prints.length, 0);
    if (from < photographs.length) pages.turn();
  }
}

/** The width of the text of a letter. Two face each other. */
function letterWidth(count: number): number {
  return (count === 1 ? PAGE.width : (PAGE.width - GAPS.column) / 2) - 2 * SEALED_NOTE.padding;
}

function lettersHeight(letters: readonly LetterToPrint[], measure: MeasureText): number {
  const width = letterWidth(letters.length);
  const heights = letters.map(({ text }) => measure('letter', text, width));
  return letters.length === 0 ? 0 : Math.max(...heights) + frameOf(letters, measure);
}

/** The height of the letters of a date without their texts. */
function frameOf(letters: readonly LetterToPrint[], measure: MeasureText): number {
  const width = letterWidth(letters.length);
  return 2 * SEALED_NOTE.padding + Math.max(...letters.map(({ signature }) => measure('signature', signature, width)));
}

function placeLetters(pages: Pages, letters: readonly LetterToPrint[], measure: MeasureText): void {
  const heightOf = (text: string) => measure('letter', text, letterWidth(letters.length));
  for (let rest = letters; rest.some(({ text }) => text !== ''); ) {
    const [whole, frame] = [lettersHeight(rest, measure), frameOf(rest, measure)];
    const isTooHigh = whole > pages.room && !pages.isEmpty;
    if (isTooHigh && (whole <= KEPT_TOGETHER || pages.room < frame + 2 * LEAST_TEXT)) pages.turn();
    const split = rest.map(({ text }) => splitText(text, pages.room - frame, heightOf));
    const pieces = split.map(([text, more]) => ({ text, isEnd: text !== '' && more === '' }));
    const placed = rest.map((letter, n) => ({ ...letter, text: pieces[n]?.text ?? '' }));
    pages.place({ kind: 'letters', pieces }, lettersHeight(placed, measure));
    rest = rest.map((letter, n) => ({ ...letter, text: split[n]?.[1] ?? '' }));
    if (rest.some(({ text }) => text !== '')) pages.turn();
  }
}

/**
 * Splits a text into what fits into a height, ending with a whole word if it can, and the rest. A part that is too low to
 * end a page with goes to the next one.
 */
function splitText(text: string, height: number, heightOf: (text: string) => number): [string, string] {
  if (heightOf(text) <= height) return [text, ''];
  const letters = Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
  const textTo = (end: number) => letters.slice(0, end).join('');
  let [fits, tooMuch] = [1, letters.length];
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (heightOf(textTo(middle).trimEnd()) <= height) fits = middle;
    else tooMuch = middle;
  }
  const start = textTo(fits);
  const words = /\s/.test(letters[fits] ?? '') ? start : (/^.*\s/s.exec(start)?.[0] ?? '');
  const part = words.length > start.length / 2 ? words : start;
  if (height < PAGE.height / 2 && heightOf(part.trimEnd()) < LEAST_TEXT) return ['', text];
  return [part.trimEnd(), text.slice(part.length).trimStart()];
}
