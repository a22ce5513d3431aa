import { findUnsent } from './unsent-store.ts';
import { unstoredIds } from './unstored-shots.ts';

/** How many unsent photos this user took with the app's camera. They exist nowhere else. */
export async function countUnsentShots(userId: string): Promise<number> {
  const { photos } = await findUnsent(userId);
  const stored = photos.filter(({ captured }) => captured).map(({ id }) => id);
  return new Set([...stored, ...unstoredIds()]).size;
}
