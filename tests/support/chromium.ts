import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Starts the Chromium of this machine, without a window; throws one clear line where there is none. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium: install it, or name one with CHROMIUM_PATH.');
  const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((part) => `--disable-${part}`);
  // Its sandbox needs a user other than root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...quiet, '--no-first-run', ...sandbox, ...args] });
}

export function hasChromium(): boolean {
  return findChromium() !== undefined;
}

/** The browser that CHROMIUM_PATH names, else one at a known place. */
function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  const places = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ];
  return (given ? [given] : places).find((place) => existsSync(place));
}
