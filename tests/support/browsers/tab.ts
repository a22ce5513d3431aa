import type { BrowserEngine, BrowserWindow, Key } from './browser-engine.ts';
import { Elements, Scope } from './elements.ts';
import type { Query } from './page-agent.ts';
import { type RecordedProblems, recordProblems } from './record-problems.ts';
import { until } from './until.ts';

/** A window of a browser: what a test does in it and reads from it, the same in every engine. */
export class Tab extends Scope {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly #window: BrowserWindow;
  readonly #engine: BrowserEngine;
  #isPretendingOffline = false;
  #hasBeenOffline = false;

  constructor(window: BrowserWindow, engine: BrowserEngine, origin: string) {
    super();
    this.#window = window;
    this.#engine = engine;
    this.origin = origin;
  }

  /** Opens a path of the app, or a URL. */
  async goto(path: string): Promise<void> {
    await this.#window.goto(new URL(path, this.origin).href);
    await this.#afterLoad();
  }

  /** Goes to another screen of the app, as its links do: the page stays. */
  visit(path: string): Promise<void> {
    return this.evaluate((to) => history.pushState(null, '', to), path);
  }

  async reload(): Promise<void> {
    await this.#window.reload();
    await this.#afterLoad();
  }

  /** Presses the browser's back button. The page may cancel it, so this does not wait. */
  back(): Promise<void> {
    return this.#window.traverse(-1);
  }

  forward(): Promise<void> {
    return this.#window.traverse(1);
  }

  /** Calls a function in the page. It may use nothing outside of itself. */
  async evaluate<A extends readonly unknown[], R>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return (await this.#window.call(String(work), args)) as Awaited<R>;
  }

  /** Runs the source of a library in the page, as a script of its own. */
  async run(source: string): Promise<void> {
    await this.#window.call(`() => { (function () { ${source} }).call(globalThis); }`, []);
  }

  /** The path and query of its address. */
  path(): Promise<string> {
    return this.evaluate(() => location.pathname + location.search);
  }

  /** Waits until the path with its query is the given one or matches. */
  async waitForPath(expected: string | RegExp): Promise<void> {
    let path = '';
    await until(
      async () => {
        path = await this.path();
        return (typeof expected === 'string' ? path === expected : expected.test(path)) || undefined;
      },
      () => `the address is ${path} instead of ${String(expected)}`,
    );
  }

  /** Waits until a function in the page returns something truthy, and returns it. */
  waitFor<A extends readonly unknown[], R>(work: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return until(
      async () => (await this.evaluate(work, ...args)) || undefined,
      () => `this never became true: ${String(work)}`,
    ) as Promise<Awaited<R>>;
  }

  press(key: Key): Promise<void> {
    return this.#window.press(key);
  }

  type(text: string): Promise<void> {
    return this.#window.type(text);
  }

  resize(width: number, height: number): Promise<void> {
    return this.#window.resize(width, height);
  }

  /** Signs in by a session cookie, `name=value`. */
  async signIn(cookie: string): Promise<void> {
    const [name = '', value = ''] = cookie.split('=');
    await this.#window.setCookie(this.origin, name, value);
  }

  /**
   * Pretends to the page that the browser is offline or online, now and after each load until it is called again. Neither
   * WebDriver nor a common part of BiDi can take the network away: the test also cuts the connection.
   */
  async pretendOffline(isOffline: boolean): Promise<void> {
    this.#isPretendingOffline = isOffline;
    this.#hasBeenOffline ||= isOffline;
    await this.#setOffline(isOffline);
  }

  /** The errors since the last call, one per line. Once the tab has been offline, files that it could not load are left out. */
  async takeProblems(): Promise<string[]> {
    const all = await this.evaluate(
      () => (globalThis as RecordedProblems).recordedProblems?.splice(0) ?? ['The recorder of problems is missing.'],
    );
    return this.#hasBeenOffline ? all.filter((problem) => !problem.startsWith('resource')) : all;
  }

  screenshot(): Promise<Buffer> {
    return this.#window.screenshot();
  }

  close(): Promise<void> {
    return this.#window.close();
  }

  protected override inside(query: Query): Elements {
    return new Elements(this.#window, this.#engine, [query]);
  }

  async #afterLoad(): Promise<void> {
    if (!this.#isPretendingOffline) return;
    // A proxy that inserts the recorder cannot be reached.
    await this.evaluate(recordProblems);
    await this.#setOffline(true);
  }

  #setOffline(isOffline: boolean): Promise<void> {
    return this.evaluate((now) => {
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !now });
      window.dispatchEvent(new Event(now ? 'offline' : 'online'));
    }, isOffline);
  }
}
