import { findUnsent } from './unsent-store.ts';

/** How many unsent photos this user took with the app's camera. They exist nowhere else. */
export async function countUnsentShots(userId: string): Promise<number> {
  const { photos } = await findUnsent(userId);
  return photos.filter(({ captured }) => captured).length;
}
