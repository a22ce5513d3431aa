/** A pseudorandom generator of numbers in [0, 1): the same seed yields the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

export function between(from: number, to: number, random: () => number): number {
  return from + random() * (to - from);
}

const SIZE = 256;
const table = Float32Array.from({ length: SIZE * SIZE }, seededRandom(20_240_301));

/** Smooth noise in [0, 1], with one hill or dale in each unit square. */
export function noise(x: number, y: number): number {
  // Without destructuring, which would take twice the time here.
  const left = Math.floor(x);
  const top = Math.floor(y);
  const dx = x - left;
  const dy = y - top;
  const u = dx * dx * (3 - 2 * dx);
  const v = dy * dy * (3 - 2 * dy);
  const x0 = left & (SIZE - 1);
  const x1 = (left + 1) & (SIZE - 1);
  const y0 = (top & (SIZE - 1)) * SIZE;
  const y1 = ((top + 1) & (SIZE - 1)) * SIZE;
  const above = table[y0 + x0]! + (table[y0 + x1]! - table[y0 + x0]!) * u;
  const below = table[y1 + x0]! + (table[y1 + x1]! - table[y1 + x0]!) * u;
  return above + (below - above) * v;
}

/** Noise of several sizes in [0, 1], as clouds, hills and walls have it. */
export function fractal(x: number, y: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let frequency = 1;
  for (let i = 0; i < octaves; i += 1) {
    // Turned a little in each octave, so that the squares don't show.
    sum += weight * noise(x * frequency + y * 0.37 * i + i * 17.3, y * frequency - x * 0.37 * i + i * 9.1);
    total += weight;
    weight *= 0.5;
    frequency *= 2.03;
  }
  return sum / total;
}
