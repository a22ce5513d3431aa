/** Edges in pixels, as `getBoundingClientRect` gives them. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * How far up a box has to move, in pixels, to overlap none of the others: 0 where it overlaps none already, null where
 * there is no such place up to `most`.
 */
export function liftOver(box: Box, others: readonly Box[], most: number): number | null {
  const inTheWay = others.filter(({ left, right }) => left < box.right && right > box.left);
  let lift = 0;
  // From the lowest up: each that the moved box overlaps lifts it to its own upper edge.
  for (const other of inTheWay.toSorted((a, b) => b.bottom - a.bottom)) {
    const overlaps = other.top < box.bottom - lift && other.bottom > box.top - lift;
    if (overlaps) lift = box.bottom - other.top;
  }
  return lift > most ? null : lift;
}
