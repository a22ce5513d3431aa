import { Refusal } from '../refusal.ts';
import { etagOf } from './answer.ts';

/**
 * Refuses a write that was made against an older version (contract 1): 412. To be asked inside the transaction,
 * after the state had its say, for a 409 comes first. `*` and an absent header match whatever is there.
 */
export function assertMatches(ifMatch: string | undefined, thing: { id: string; version: number }): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(etagOf(thing))) return;
  throw new Refusal(412, 'Your partner has changed this meanwhile. Nothing was saved; look at both versions.');
}
