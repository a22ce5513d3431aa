import { delay, FRAME_MS } from './when-idle.ts';

/** Resolves when the opening of `index.html` is painted: code that runs before would delay it. */
export async function whenPainted(): Promise<void> {
  await Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), delay(FRAME_MS)]);
}
