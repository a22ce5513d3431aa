import { delay } from './delay.ts';

/** The longest wait for a frame, in milliseconds: a page in the background paints none. */
const FRAME_MS = 100;

/** Resolves when the opening of `index.html` is painted: code that runs before would delay it. */
export async function whenPainted(): Promise<void> {
  await Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), delay(FRAME_MS)]);
}
