import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, type Daemon, startDaemon, untilReady } from '../daemons.ts';
import { freePorts } from '../free-ports.ts';
import type { BrowserEngine, BrowserWindow, Key, RunningBrowser } from './browser-engine.ts';
import { COOKIE_PATH } from './problem-recording-proxy.ts';

/**
 * WebKitGTK's MiniBrowser on a virtual display, driven over WebDriver (decision 33). Safari has the same engine with
 * another network stack and other controls.
 *
 * What this driver lacks, and what takes its place:
 * - It has neither logs nor scripts that run before the page's own (both are parts of WebDriver BiDi, which WebKitGTK
 *   2.50 refuses as `webSocketUrl`), and MiniBrowser ignores `--enable-write-console-messages-to-stdout` in windows of
 *   a driver. A proxy inserts the recorder of problems into the HTML.
 * - Its command that adds a cookie once never answered. The same proxy sets the session's cookie.
 * - A process drives one window, always without a profile. So each window has a driver and a browser of its own, and
 *   its storage ends with it. Service workers, caches and IndexedDB work.
 * - It cannot emulate a missing network; `Tab.setOffline` cuts the connection.
 */
export const webkit: BrowserEngine = {
  name: 'WebKit',
  advancesInDateFields: false,
  needsRecorderInPage: true,
  isInstalled: () => existsSync(DRIVER) && existsSync(DISPLAY_SERVER) && findMiniBrowser() !== undefined,
  start,
};

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';

/** Shorter than a test may take, so that the test's error names the command. */
const ANSWER_MS = 60_000;

/** The code points of WebDriver for keys without a character. */
const KEYS: Readonly<Record<Key, string>> = {
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  Backspace: '\uE003',
  Enter: '\uE006',
  Escape: '\uE00C',
  Tab: '\uE004',
};

/** The window can't be narrower than its toolbar, which full screen hides but still measures: its icons become tiny. */
const NO_TOOLBAR = '* { margin: 0; padding: 0; border-width: 0; min-width: 0; min-height: 0; font-size: 1px; }';

async function start(): Promise<RunningBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  await mkdir(join(home, '.config/gtk-3.0'), { recursive: true });
  await writeFile(join(home, '.config/gtk-3.0/gtk.css'), NO_TOOLBAR);
  // It chooses a free display and prints its number. Without `-noreset` it refuses windows for a moment when the last
  // one is closed.
  const options = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset'];
  const screen = startDaemon(DISPLAY_SERVER, options);
  await untilReady(screen, async () => /^\d+\n/m.test(screen.output()), 'Xvfb');
  const display = `:${/^(\d+)\n/m.exec(screen.output())?.[1]}`;
  const env = {
    PATH: process.env.PATH,
    TMPDIR: tmpdir(),
    HOME: home,
    DISPLAY: display,
    // ICU takes the language from it, even if the C library has no such locale.
    LC_ALL: 'en_US.UTF-8',
    // GTK looks for a desktop's services.
    NO_AT_BRIDGE: '1',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    // Without a graphics card it takes a third more processor time.
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  };
  return {
    open: () => openWindow(env),
    close: async () => {
      await screen.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Starts a browser and its driver. A driver that starts the browser itself lets the system choose the port between them.
 * If another process takes that port first, the driver waits forever.
 */
async function openWindow(env: NodeJS.ProcessEnv): Promise<BrowserWindow> {
  const [port = 0, inspectorPort = 0] = await freePorts(2);
  const inspector = `127.0.0.1:${inspectorPort}`;
  const args = ['--automation', '--full-screen', '--time-zone=Europe/Rome'];
  const browser = startDaemon(findMiniBrowser() ?? '', args, { env: { ...env, WEBKIT_INSPECTOR_SERVER: inspector } });
  await untilReady(browser, () => accepts(inspectorPort), 'MiniBrowser');
  const driver = startDaemon(DRIVER, [`--port=${port}`, `--target=${inspector}`], { env });
  const root = `http://127.0.0.1:${port}`;
  await untilReady(driver, () => send(root, 'GET', '/status').then(() => true), 'WebKitWebDriver');
  const session = (await send(root, 'POST', '/session', { capabilities: {} })) as { readonly sessionId: string };
  return new WebKitWindow([driver, browser], `${root}/session/${session.sessionId}`);
}

/** One window, with its processes. */
class WebKitWindow implements BrowserWindow {
  readonly #processes: readonly Daemon[];
  readonly #session: string;
  #calls = 0;

  constructor(processes: readonly Daemon[], session: string) {
    this.#processes = processes;
    this.#session = session;
  }

  async goto(url: string): Promise<void> {
    await this.#post('/url', { url });
  }

  async reload(): Promise<void> {
    await this.#post('/refresh', {});
  }

  async traverse(steps: -1 | 1): Promise<void> {
    this.#post(steps === -1 ? '/back' : '/forward', {}).catch(() => undefined);
  }

  async call(source: string, args: readonly unknown[]): Promise<unknown> {
    this.#calls += 1;
    const script = `const [args, id, done] = arguments;
      (globalThis.startedCalls ??= new Set()).add(id);
      (async () => (${source})(...args))().then(
        (value) => done({ value }),
        (error) => done({ error: String(error?.stack ?? error) }),
      );`;
    const result = this.#post('/execute/async', { script, args: [args, this.#calls] });
    const { value, error } = (await this.#unlessLeft(result, this.#calls)) as {
      readonly value?: unknown;
      readonly error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** Waits for a call's result. Rejects if the page is left meanwhile: then the driver may never answer. */
  async #unlessLeft<T>(result: Promise<T>, call: number): Promise<T> {
    const left = Promise.withResolvers<never>();
    const script = 'return globalThis.startedCalls?.has(arguments[0]) === true;';
    const check = async () => {
      const isThere = await this.#post('/execute/sync', { script, args: [call] }).catch(() => true);
      if (isThere === false) left.reject(new Error('The page was left while it was asked.'));
    };
    const checks = setInterval(() => void check(), 1_000);
    try {
      return await Promise.race([result, left.promise]);
    } finally {
      clearInterval(checks);
      result.catch(() => undefined);
      left.promise.catch(() => undefined);
    }
  }

  async click(x: number, y: number): Promise<void> {
    const actions = [
      { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y), origin: 'viewport' },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  /** Each window has a browser of its own, which is always active. */
  async activate(): Promise<void> {}

  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#act({ type: 'key', id: 'keyboard', actions });
  }

  press(key: Key): Promise<void> {
    return this.type(KEYS[key]);
  }

  async setFiles(selector: string, paths: readonly string[]): Promise<void> {
    const found = (await this.#post('/element', { using: 'css selector', value: selector })) as Record<string, string>;
    await this.#post(`/element/${Object.values(found)[0]}/value`, { text: paths.join('\n') });
  }

  async setCookie(url: string, name: string, value: string): Promise<void> {
    await this.goto(new URL(`${COOKIE_PATH}?${encodeURIComponent(`${name}=${value}`)}`, url).href);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#post('/window/rect', { width, height });
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await send(this.#session, 'GET', '/screenshot')) as string, 'base64');
  }

  async close(): Promise<void> {
    await send(this.#session, 'DELETE', '').catch(() => undefined);
    await Promise.all(this.#processes.map((process) => process.stop()));
  }

  async #act(source: object): Promise<void> {
    await this.#post('/actions', { actions: [source] });
  }

  #post(path: string, body: object): Promise<unknown> {
    return send(this.#session, 'POST', path, body);
  }
}

/** Sends a command of WebDriver. Returns its value. Throws its error, or after `ANSWER_MS` without an answer. */
async function send(base: string, method: string, path: string, body?: object): Promise<unknown> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(base + path, { method, signal, ...(body && { body: JSON.stringify(body) }) }).catch(
    (cause: unknown) => {
      throw new Error(`WebKitWebDriver did not answer ${method} ${path}`, { cause });
    },
  );
  const { value } = (await response.json()) as { readonly value: unknown };
  if (!response.ok) {
    const { error, message } = value as { readonly error: string; readonly message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  }
  return value;
}

/** `MINIBROWSER_PATH`, or else Debian's, which is not on the `PATH`. */
function findMiniBrowser(): string | undefined {
  const configured = process.env.MINIBROWSER_PATH;
  const paths = configured ? [configured] : globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
  return paths.find((path) => existsSync(path));
}
