import type { User } from '../../contract.ts';
import { dayInWords } from './day-in-words.ts';

/** The line at the foot of a page: 'Nora & Elias, since the first of March 2024'. */
export function folioText({ displayName, partner, couple }: User): string {
  const names = partner === null ? displayName : `${displayName} & ${partner.displayName}`;
  return couple.togetherSince === null ? names : `${names}, since ${dayInWords(couple.togetherSince)}`;
}
