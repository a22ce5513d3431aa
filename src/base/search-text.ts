/** The letters that Unicode doesn't take apart into a letter and an accent, and the second small sigma. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** Returns a text without case and accents, in which the search looks for words (search.2). */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Returns the words of a search, folded. One that is an accent alone is none. */
export function searchWords(query: string): string[] {
  return [...new Set(foldText(query).split(/\s+/))].filter((word) => word !== '');
}

/** What the search finds a memory by: its caption and its name on the device, folded. It is stored with the memory. */
export function memorySearchText(memory: {
  readonly caption: string | null;
  readonly originalFileName: string;
}): string {
  return foldText(`${memory.caption ?? ''}\n${memory.originalFileName}`);
}
