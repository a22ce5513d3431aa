/** The custom properties that `base/web/server-sizes.css` can set. An element has at most one of them. */
const SIZES = ['ar', 'row-width', 'rows', 'part', 'share'] as const;

/** The exponents of the powers of two of a size, as in `base/web/server-sizes.css`. */
const [HIGHEST, LOWEST] = [15, -12];

/**
 * Returns the attributes from which the stylesheet takes an element's size before hydration.
 * @param style a custom property such as `{ '--ar': '1.5000' }` or `{ '--row-width': '512px' }`
 */
export function sizeAttributes(style: object): Readonly<Record<string, string>> {
  const custom = style as Readonly<Record<string, unknown>>;
  const name = SIZES.find((size) => custom[`--${size}`] !== undefined);
  if (name === undefined) return {};
  return { [`data-${name}`]: '', 'data-size': powersOf(Number.parseFloat(String(custom[`--${name}`]))).join(' ') };
}

/** Returns the exponents of the powers of two that add up to a number, rounded to the smallest one. */
function powersOf(size: number): readonly number[] {
  const exponents: number[] = [];
  let rest = size + 2 ** (LOWEST - 1);
  for (let exponent = HIGHEST; exponent >= LOWEST; exponent -= 1) {
    if (rest < 2 ** exponent) continue;
    rest -= 2 ** exponent;
    exponents.push(exponent);
  }
  return exponents;
}
