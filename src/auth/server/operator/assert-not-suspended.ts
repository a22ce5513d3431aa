import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { SUSPENDED } from '../../suspended-text.ts';
import { readSuspension } from './suspension-store.ts';

/** The refusal for somebody who has proved to be a member of a suspended space. */
export function suspendedRefusal(): Refusal {
  return new Refusal(403, SUSPENDED, { type: 'suspended' });
}

/**
 * Refuses a user who has just proved who they are, before they get a session.
 * @throws Refusal 403 if the operator has suspended their space
 */
export async function assertNotSuspended(reader: Reader, coupleId: CoupleId): Promise<void> {
  if ((await readSuspension(reader, coupleId)) !== null) throw suspendedRefusal();
}
