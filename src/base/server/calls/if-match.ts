import { Refusal } from '../../refusal.ts';
import { etagOf } from './answer.ts';

/**
 * Checks the `If-Match` precondition. Call it inside the transaction, after the checks of the state, because
 * 409 takes precedence. `*` and a missing header match any version.
 * @throws Refusal 412 if the entity has another version
 */
export function assertIfMatch(ifMatch: string | undefined, entity: { id: string; version: number }): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(etagOf(entity))) return;
  throw new Refusal(
    412,
    'Your partner has changed this in the meantime. Nothing was saved; please compare both versions.',
  );
}
