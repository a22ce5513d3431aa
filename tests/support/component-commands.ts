import type { BrowserCommand } from 'vitest/node';
import type { ImageOptions } from './images.ts';

/** What the tests of components can't do in a browser. */
export interface ComponentCommands {
  /** Makes a JPEG like a camera's. Returns it in base64. */
  makeJpeg(options: ImageOptions): Promise<string>;
}

declare module 'vitest/browser' {
  interface BrowserCommands extends ComponentCommands {}
}

export const makeJpegCommand: BrowserCommand<[ImageOptions]> = async (_, options) =>
  (await (await import('./images.ts')).makeJpeg(options)).toString('base64');
