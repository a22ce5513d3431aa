/** Edges in pixels, as `getBoundingClientRect` gives them. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Returns how far up a box has to move, in pixels, so that it overlaps no other box: 0 if it already doesn't, null if
 * that takes more than `maxLift`.
 */
export function liftOver(box: Box, others: readonly Box[], maxLift: number): number | null {
  const sameColumn = others.filter(({ left, right }) => left < box.right && right > box.left);
  let lift = 0;
  // From the lowest box up: each one that the moved box overlaps lifts it above its own top.
  for (const other of sameColumn.toSorted((a, b) => b.bottom - a.bottom)) {
    const overlaps = other.top < box.bottom - lift && other.bottom > box.top - lift;
    if (overlaps) lift = box.bottom - other.top;
  }
  return lift > maxLift ? null : lift;
}
