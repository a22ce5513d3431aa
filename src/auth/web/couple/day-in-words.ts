import { monthName } from '../../../base/date-formats.ts';

const ONES = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
];

/** The ordinal of a day of the month in words: 'first' to 'thirty-first'. */
function ordinal(day: number): string {
  const word = (index: number) => ONES[index - 1] ?? '';
  if (day < 20) return word(day);
  if (day === 20 || day === 30) return day === 20 ? 'twentieth' : 'thirtieth';
  return `${day < 30 ? 'twenty' : 'thirty'}-${word(day % 10)}`;
}

/** Formats the calendar date `2024-03-01` as 'the first of March 2024'. */
export function dayInWords(date: string): string {
  return `the ${ordinal(Number(date.slice(8)))} of ${monthName(date.slice(0, 7))}`;
}
