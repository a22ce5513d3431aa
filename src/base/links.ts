/** What this file uses of `URL`. Every runtime has it, but the types of pure files have nothing of a runtime. */
declare const URL: new (
  address: string,
) => Readonly<Record<'href' | 'host' | 'protocol' | 'username' | 'password', string>>;

/** A web address in a text. */
export interface LinkInText {
  /** As it stands in the text. */
  readonly text: string;
  readonly href: string;
  /** The host as the browser requests it. One with letters beyond ASCII, such as look-alikes of Latin ones, is `xn--…`. */
  readonly host: string;
}

/** A piece of a text: plain, or a web address. */
export type TextPiece = string | LinkInText;

// An address ends at a space, a quotation mark, a backtick, a bracket < or >, and any invisible character, such as one that turns
// the direction of writing.
const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/[^\s\p{C}\p{Z}<>"“”„«»`]+/giu;
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Splits what a user wrote into plain text and web addresses. Only `http` and `https` are addresses, and none that names
 * a user, because `https://our-bank.example@evil.example` leads elsewhere than it seems (screens.links.2).
 */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const link = linkOf(withoutPunctuation(found));
    if (link === null) continue;
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push(link);
    end = index + link.text.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/**
 * Returns a text without its web addresses, and without the spaces and the punctuation that are then left at its ends.
 * Spaces around an address in the middle stay.
 */
export function withoutLinks(text: string): string {
  const pieces = splitLinks(text);
  if (pieces.every((piece) => typeof piece === 'string')) return text;
  return pieces
    .filter((piece) => typeof piece === 'string')
    .join(' ')
    .replace(/^[\s,;:·|-]+|[\s,;:·|-]+$/g, '');
}

function linkOf(text: string): LinkInText | null {
  let url: InstanceType<typeof URL>;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return { text, href: url.href, host: url.host };
}

/** Returns an address without what belongs to the sentence: its punctuation, and a bracket that the address doesn't open. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  for (;;) {
    const last = address[end - 1] ?? '';
    const opening = CLOSING[last];
    const isUnopened =
      opening !== undefined && count(address.slice(0, end), last) > count(address.slice(0, end), opening);
    if (!isUnopened && !/[.,;:!?'’…*_~|]/.test(last)) return address.slice(0, end);
    end -= 1;
  }
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}

/** Whether an address is no more than its host, so that the host need not be shown beside it. */
export function isHostAlone({ text, host }: LinkInText): boolean {
  return text.replace(/^https?:\/\//i, '').replace(/\/$/, '') === host;
}
