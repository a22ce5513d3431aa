import type { OwnAndOthers } from '../../../base/web/storage/count-unsent.ts';
import { unstoredShots } from './store-shot.ts';
import { findPhotosOfAll, findUnsent } from './unsent-store.ts';

/**
 * How many unsent photos were taken on this device with the app's camera, by this user and by others. They exist nowhere
 * else.
 */
export async function countUnsentShots(userId: string): Promise<OwnAndOthers> {
  const captured = (await findPhotosOfAll()).filter((photo) => photo.captured);
  const own = captured.filter((photo) => photo.userId === userId).map(({ id }) => id);
  return { own: new Set([...own, ...unstoredShots.get().keys()]).size, others: captured.length - own.length };
}

/** How many photos of date mode the server has refused. They wait for this user on the upload page. */
export async function countRefusedShots(userId: string): Promise<number> {
  return (await findUnsent(userId)).filter(({ sendsItself }) => sendsItself === false).length;
}
