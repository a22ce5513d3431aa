/** The next place in either direction, wrapping around (memories.slideshow.5). */
export function stepPlace(place: number, by: number, total: number): number {
  return total === 0 ? 0 : (((place + by) % total) + total) % total;
}
