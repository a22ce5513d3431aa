import type { UserId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import type { IdeaDeps } from './idea-deps.ts';

/** Announces a change of an idea to both partners, or to `only` one. */
export async function announceIdea(
  { announce }: Pick<IdeaDeps, 'announce'>,
  tx: Writer,
  action: 'created' | 'updated' | 'deleted',
  id: string,
  { coupleId, userId }: Viewer,
  only?: UserId,
): Promise<void> {
  await announce(tx, coupleId, { entity: 'dateIdea', id, action, by: userId }, only);
}
