import type { OwnAndOthers } from '../../../base/web/outbox.ts';
import { findPhotosOfAll, findUnsent } from './unsent-store.ts';
import { unstoredIds } from './unstored-shots.ts';

/**
 * How many unsent photos were taken on this device with the app's camera, by this user and by others. They exist nowhere
 * else.
 */
export async function countUnsentShots(userId: string): Promise<OwnAndOthers> {
  const shots = (await findPhotosOfAll()).filter(({ captured }) => captured);
  const own = shots.filter((shot) => shot.userId === userId).map(({ id }) => id);
  return { own: new Set([...own, ...unstoredIds()]).size, others: shots.length - own.length };
}

/** How many photos of date mode the server has refused. They wait for this user on the upload page. */
export async function countRefusedShots(userId: string): Promise<number> {
  const { photos } = await findUnsent(userId);
  return photos.filter(({ sendsItself }) => sendsItself === false).length;
}
