import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';

/** Chromium without its user interface: the same engine with a third less processor time. Debian has it in a package. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Starts the installed Chromium, headless. Throws if there is none. */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return launch(findChromium(), args);
}

/** Starts Chromium's headless shell, or Chromium if there is no shell. The shell has no push messages. */
export function launchHeadlessShell(args: readonly string[] = []): Promise<Browser> {
  const isThere = !process.env.CHROMIUM_PATH && existsSync(HEADLESS_SHELL);
  return launch(isThere ? HEADLESS_SHELL : findChromium(), args);
}

function launch(executablePath: string | undefined, args: readonly string[]): Promise<Browser> {
  if (executablePath === undefined) throw new Error('No Chromium found: install it or set CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: [...quietArgs(), ...args] });
}

/** Arguments with which Chromium has a camera, and permits its use without asking. */
export const FAKE_CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** How the tests of components start Chromium's headless shell, or Chromium if there is no shell. */
export function chromiumOptions(): LaunchOptions {
  const executablePath = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium();
  return { ...(executablePath !== undefined && { executablePath }), args: [...quietArgs(), ...FAKE_CAMERA] };
}

function quietArgs(): string[] {
  const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((part) => `--disable-${part}`);
  // The sandbox does not work as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [...quiet, '--no-first-run', ...sandbox];
}

/** Signs a user in on all pages of a context. `cookie` is `name=value`. */
export async function addSessionCookie(
  context: BrowserContext,
  { url, cookie }: { readonly url: string; readonly cookie: string },
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
}

export function hasChromium(): boolean {
  return findChromium() !== undefined;
}

/** Whether Debian's Chromium is installed without its headless shell, with which the tests are faster. */
export function isHeadlessShellMissing(): boolean {
  return findChromium() === DEBIAN_CHROMIUM && !existsSync(HEADLESS_SHELL);
}

/** `CHROMIUM_PATH`, or else the first that exists of the usual paths. */
function findChromium(): string | undefined {
  const configured = process.env.CHROMIUM_PATH;
  const paths = [
    DEBIAN_CHROMIUM,
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ];
  return (configured ? [configured] : paths).find((path) => existsSync(path));
}
