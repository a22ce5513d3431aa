import { cleanText, countText } from '../base/clean-text.ts';

/** The maximum length of a suggestion, exclusive, in code points. */
const LIMIT = 50;

/** The phrases before a place, the first match wins. `the` restores the article that the phrase consumed. */
const PHRASES = [
  { before: /\bat\s+/giu, the: false },
  { before: /\bin\s+the\s+/giu, the: true },
  { before: /\bvisit\s+/giu, the: false },
  { before: /\bgo\s+to\s+/giu, the: false },
] as const;

/** A place ends at the end of its clause, or before a lower-case joining word: 'the park | with a blanket'. */
const CLAUSE_END = /[,.;:!?()\n–—]|\s-\s/u;
const JOINING =
  /\s(?:and|then|with|for|before|after|while|when|where|until|because|but|or|so|to|at|during|on)\s+(?=[^\p{Lu}])/u;

/** Words after those phrases that are not places, unless they are proper names: 'Times Square', 'The Rest'. */
const NO_PLACE = new RegExp(
  `^(?:[Tt]he |our |your |an? )?(?:(?:${[
    'least|most|all|once|first|last|best|worst|any|some|same|ease|random|times|moment|process|way|mood|meantime',
    'bed|sleep|each|them|us|me|him|her|it|this|that|what|which|where|whatever|wherever',
  ].join('|')})\\b|(?:${[
    'end|start|beginning|time|night|noon|midnight|dawn|dusk|sunrise|sunset|day|daytime|weekend|week|month|year',
    'mornings?|afternoons?|evenings?|spring|summer|autumn|fall|winter|future|past|middle',
    'dark|rain|snow|sun|sunshine|moonlight|cold|heat|hour',
  ].join('|')})(?:$| (?:of|in|under|by|from|together|again|as|like)\\b))`,
  'u',
);

/**
 * Finds a place in an idea's description, to prefill the location of its plan (dates.plan.6): after 'at', 'in the'
 * (which gives 'the …'), 'visit' or 'go to', and shorter than 50 characters. Times ('at 7 pm', 'in the evening') are not
 * places.
 * @returns '' if there is none
 */
export function suggestLocation(description: string | null): string {
  const text = cleanText(description ?? '');
  for (const { before, the } of PHRASES) {
    for (const match of text.matchAll(before)) {
      const place = placeAt(text.slice(match.index + match[0].length));
      const suggestion = the && place !== '' ? `the ${place}` : place;
      if (place !== '' && countText(place) < LIMIT) return suggestion;
    }
  }
  return '';
}

function placeAt(rest: string): string {
  const clause = rest.split(CLAUSE_END, 1)[0] ?? '';
  const place = (clause.split(JOINING, 1)[0] ?? '').replace(/^["'“”‘]+|["“”]+$/gu, '').trim();
  return /^\p{N}/u.test(place) || NO_PLACE.test(place) ? '' : place;
}
