/** One person from behind, standing: `x` and `feet` in heights of the picture, as in `shade`. */
function person(x: number, feet: number, tall: number, wears: 'dress' | 'coat'): string {
  const at = (dx: number, up: number) => `${x + dx * tall} ${feet - up * tall}`;
  const head = `<ellipse cx="${x}" cy="${feet - 0.925 * tall}" rx="${0.052 * tall}" ry="${0.068 * tall}"/>`;
  const hair =
    wears === 'dress'
      ? `<path d="M${at(-0.058, 0.95)}Q${at(-0.075, 0.83)} ${at(-0.05, 0.79)}L${at(0.05, 0.79)}Q${at(0.075, 0.83)} ${at(0.058, 0.95)}z"/>`
      : '';
  const body =
    wears === 'dress'
      ? `M${at(-0.1, 0.8)}Q${at(0, 0.86)} ${at(0.1, 0.8)}L${at(0.075, 0.6)}Q${at(0.15, 0.42)} ${at(0.16, 0.3)}L${at(-0.16, 0.3)}Q${at(-0.15, 0.42)} ${at(-0.075, 0.6)}z`
      : `M${at(-0.135, 0.8)}Q${at(0, 0.88)} ${at(0.135, 0.8)}L${at(0.12, 0.47)}L${at(0.105, 0.44)}L${at(-0.105, 0.44)}L${at(-0.12, 0.47)}z`;
  const legs = `M${at(-0.09, 0.46)}L${at(-0.075, 0)}L${at(-0.015, 0)}L${at(0, 0.42)}L${at(0.015, 0)}L${at(0.075, 0)}L${at(0.09, 0.46)}z`;
  return `${head}${hair}<path d="${body}"/><path d="${legs}"/>`;
}

/** An arm from a shoulder to a hand. */
function arm(fromX: number, fromY: number, toX: number, toY: number, width: number): string {
  return `<path fill="none" stroke="#000" stroke-width="${width}" stroke-linecap="round" d="M${fromX} ${fromY}Q${(fromX + toX) / 2 + (toX - fromX) * 0.2} ${(fromY + toY) / 2} ${toX} ${toY}"/>`;
}

/** Two people from behind, hand in hand: SVG in heights of the picture. @param tall how tall they are */
export function couple(x: number, feet: number, tall: number): string {
  const gap = 0.2 * tall;
  const hands = [x, feet - 0.44 * tall] as const;
  const width = 0.05 * tall;
  return [
    person(x - gap, feet, tall, 'coat'),
    person(x + gap * 0.95, feet + 0.01 * tall, tall * 0.91, 'dress'),
    arm(x - gap + 0.11 * tall, feet - 0.77 * tall, ...hands, width),
    arm(x + gap - 0.1 * tall, feet - 0.7 * tall, ...hands, width),
    arm(x - gap - 0.12 * tall, feet - 0.77 * tall, x - gap - 0.15 * tall, feet - 0.42 * tall, width),
    arm(x + gap + 0.08 * tall, feet - 0.7 * tall, x + gap + 0.13 * tall, feet - 0.4 * tall, width),
  ].join('');
}
