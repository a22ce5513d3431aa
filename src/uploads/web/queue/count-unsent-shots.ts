import { findKept } from './unsent-store.ts';

/** How many photos this user took with the camera here that are not sent: no gallery of the phone has them. */
export async function countUnsentShots(userId: string): Promise<number> {
  const { photos } = await findKept(userId);
  return photos.filter(({ captured }) => captured).length;
}
