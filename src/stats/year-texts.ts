import { monthName } from '../base/date-formats.ts';
import { numberText, plural } from '../base/number-texts.ts';
import type { Year } from './contract.ts';

/* The sentences of a year's story. A year may have little: what there is none of is not mentioned, and its page is left out. */

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A number in words up to ninety-nine, in digits above: 'seventeen', 'seventy-one', '1,204'. */
export function numberInWords(number: number): string {
  if (number > 99) return numberText(number);
  const rest = number % 10;
  return SMALL[number] ?? [TENS[Math.floor(number / 10)], SMALL[rest]].slice(0, rest === 0 ? 1 : 2).join('-');
}

function inWords(count: number, one: string): string {
  return plural(count, one).replace(/^\d+/, numberInWords(count));
}

/** 'thirty-three hours', or 'forty minutes' below an hour. */
function timeInWords(minutes: number): string {
  return minutes < 60 ? inWords(minutes, 'minute') : inWords(Math.floor(minutes / 60), 'hour');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 'Seventeen dates, seventy-one hours, ninety-six photographs. This is what we kept.' */
export function openingText({ dates, totalMinutes, memories }: Year): string {
  const parts = [
    inWords(dates, 'date'),
    totalMinutes > 0 && timeInWords(totalMinutes),
    memories > 0 && inWords(memories, 'photograph'),
  ].filter((part) => part !== false);
  return `${capitalize(parts.join(', '))}. This is what we kept.`;
}

/** The month with the most minutes; null if the dates are all in one month. */
export function longestMonthOf({ months }: Year): Year['months'][number] | null {
  if (months.filter(({ dates }) => dates > 0).length < 2) return null;
  const longest = months.reduce((a, b) => (b.minutes > a.minutes ? b : a));
  return longest.minutes > 0 ? longest : null;
}

/** The month's name: 'October' for '2026-10'. */
export function nameOfMonth(month: string): string {
  return monthName(month).replace(/ \d+$/, '');
}

/** 'Thirty-three hours, on three dates.' */
export function monthText({ minutes, dates }: Year['months'][number]): string {
  return `${capitalize(timeInWords(minutes))}, on ${inWords(dates, 'date')}.`;
}

/** The heading of the places: 'Lungarno, again and again', or 'Somewhere new each time'. */
export function placesText(places: Year['places']): string {
  const [first, second] = places;
  if (!first) return '';
  if (first.dates > 1) return `${first.location}, again and again`;
  return second ? 'Somewhere new each time' : first.location;
}

/** 'Ninety-six photographs' */
export function photographsText({ memories }: Year): string {
  return capitalize(inWords(memories, 'photograph'));
}

/** The last page's sentence: the days of the year that are left, or nothing once it is over. */
export function endText({ year, dates }: Year, today: string): string {
  if (today > `${year}-12-31`) return `${capitalize(inWords(dates, 'date'))} to come back to.`;
  return today === `${year}-12-31` ? 'It ends tonight.' : 'There is still a page free for December 31.';
}
