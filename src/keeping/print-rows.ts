/** The largest proportion of a row, width by height: two landscape photographs side by side. */
const FULL = 3;

/** Splits photographs into the rows of a printed page, in order. */
export function printRows<T extends { readonly width: number; readonly height: number }>(
  photographs: readonly T[],
): T[][] {
  const rows: T[][] = [];
  let proportion = Number.POSITIVE_INFINITY;
  for (const one of photographs) {
    const its = one.width / one.height;
    if (proportion + its > FULL) {
      rows.push([]);
      proportion = 0;
    }
    rows.at(-1)?.push(one);
    proportion += its;
  }
  return rows;
}
