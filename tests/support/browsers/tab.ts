import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserEngine, BrowserWindow, Key } from './browser-engine.ts';
import { addAgent, type Pattern, type Point, type Query } from './page-agent.ts';
import { type RecordedProblems, recordProblems } from './record-problems.ts';

const require = createRequire(import.meta.url);
const LIBRARY = readFileSync(require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8');

/** How long the page may take until it shows what a test expects: on a busy machine, its service worker takes longest. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 40;

/** Polls until `check` returns something other than undefined. `describe` says what is missing when time is over. */
async function until<T>(check: () => Promise<T | undefined>, describe: () => string): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  let lastError = '';
  for (;;) {
    const begun = performance.now();
    try {
      const found = await check();
      if (found !== undefined) return found;
    } catch (error) {
      // The page is changing.
      lastError = ` (${String(error).slice(0, 500)})`;
    }
    if (performance.now() > deadline) throw new Error(`After ${TIMEOUT_MS / 1000} s: ${describe()}${lastError}`);
    // A check interrupts the page, which gets at least as much time for what it is waited for.
    await pause(Math.max(POLL_MS, performance.now() - begun));
  }
}

/** What a test finds in the page: elements by their role and name, as a user of a screen reader knows them. */
abstract class Scope {
  /** Elements of a role. `name` is their whole accessible name, or an expression that it matches. */
  byRole(role: string, name?: string | RegExp): Elements {
    return this.inside({ by: 'role', what: role, ...(name !== undefined && { pattern: toPattern(name) }) });
  }

  /** Form controls by their whole label. */
  byLabel(label: string | RegExp): Elements {
    return this.inside({ by: 'label', pattern: toPattern(label) });
  }

  /** Elements by their whole own text. */
  byText(text: string | RegExp): Elements {
    return this.inside({ by: 'text', pattern: toPattern(text) });
  }

  bySelector(selector: string): Elements {
    return this.inside({ by: 'selector', what: selector });
  }

  protected abstract inside(query: Query): Elements;
}

/** A window of a browser: what a test does in it and reads from it, the same in every engine. */
export class Tab extends Scope {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly #window: BrowserWindow;
  readonly #engine: BrowserEngine;
  #saysOffline = false;
  #wasOffline = false;

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
   * Says to the page that the browser is offline or online, now and after each load until it is called again. Neither
   * WebDriver nor a common part of BiDi can take the network away: the test also cuts the connection.
   */
  async sayOffline(isOffline: boolean): Promise<void> {
    this.#saysOffline = isOffline;
    this.#wasOffline ||= isOffline;
    await this.#say(isOffline);
  }

  /** The errors since the last call, one per line. Once the tab has been offline, files that it could not load are left out. */
  async takeProblems(): Promise<string[]> {
    const all = await this.evaluate(
      () => (globalThis as RecordedProblems).recordedProblems?.splice(0) ?? ['The recorder of problems is missing.'],
    );
    return this.#wasOffline ? all.filter((problem) => !problem.startsWith('resource')) : all;
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
    if (!this.#saysOffline) return;
    // A proxy that inserts the recorder cannot be reached.
    await this.evaluate(recordProblems);
    await this.#say(true);
  }

  #say(isOffline: boolean): Promise<void> {
    return this.evaluate((now) => {
      Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !now });
      window.dispatchEvent(new Event(now ? 'offline' : 'online'));
    }, isOffline);
  }
}

/** The elements that a description finds, looked up again at each use. */
export class Elements extends Scope {
  readonly #window: BrowserWindow;
  readonly #engine: BrowserEngine;
  readonly #queries: readonly Query[];

  constructor(window: BrowserWindow, engine: BrowserEngine, queries: readonly Query[]) {
    super();
    this.#window = window;
    this.#engine = engine;
    this.#queries = queries;
  }

  /** How many there are now. */
  count(): Promise<number> {
    return this.evaluateAll((found) => found.length);
  }

  /** Waits until there is one. */
  async wait(): Promise<void> {
    await until(
      async () => (await this.count()) > 0 || undefined,
      () => `${this.description} is not there`,
    );
  }

  /** Waits until there is none. */
  async gone(): Promise<void> {
    await until(
      async () => (await this.count()) === 0 || undefined,
      () => `${this.description} is still there`,
    );
  }

  /** Clicks the first, when it can be clicked. */
  async click(): Promise<void> {
    let problem = '';
    const { x, y } = await until(
      async () => {
        const point = (await this.#call('(agent, queries) => agent.point(queries)')) as Point;
        if (!('problem' in point)) return point;
        ({ problem } = point);
        return undefined;
      },
      () => `${this.description} ${problem}`,
    );
    await this.#window.click(x, y);
  }

  /** Replaces the text of the first by typing. */
  async fill(text: string): Promise<void> {
    await this.focus();
    const isEmpty = await this.evaluate((element) => {
      (element as HTMLInputElement).select();
      return (element as HTMLInputElement).value === '';
    });
    if (text !== '') await this.#window.type(text);
    else if (!isEmpty) await this.#window.press('Backspace');
    await this.#untilValueIs(text);
  }

  /**
   * Types a date and time into the parts of the first, month first, as the browsers' language has it.
   * @param value as the input has it: '2027-11-25T19:30'
   */
  async typeDateTime(value: string): Promise<void> {
    const [, year = '', month = '', day = '', hour = '', minute = ''] =
      /^(\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(value) ?? [];
    const half = Number(hour) >= 12 ? 'PM' : 'AM';
    const hourOfHalf = String(Number(hour) % 12 || 12).padStart(2, '0');
    await this.focus();
    for (const part of [month, day, year, hourOfHalf, minute]) {
      await this.#window.type(part);
      if (!this.#engine.advancesInDateFields) await this.#window.press('ArrowRight');
    }
    await this.#window.type(half);
    await this.#untilValueIs(value);
  }

  /** Selects an option by its text, without opening the list: its popup is outside of the page. */
  async select(option: string): Promise<void> {
    await this.wait();
    await this.evaluate((element, text) => {
      const list = element as HTMLSelectElement;
      const index = [...list.options].findIndex((one) => one.text === text);
      if (index < 0) throw new Error(`There is no option '${text}'.`);
      list.selectedIndex = index;
      list.dispatchEvent(new Event('input', { bubbles: true }));
      list.dispatchEvent(new Event('change', { bubbles: true }));
    }, option);
  }

  /** Chooses files in the first, a file input. */
  async setFiles(paths: readonly string[]): Promise<void> {
    await this.wait();
    await this.evaluate((element) => element.setAttribute('data-chosen-by-test', ''));
    await this.#window.setFiles('[data-chosen-by-test]', paths);
    await this.evaluate((element) => element.removeAttribute('data-chosen-by-test'));
  }

  async focus(): Promise<void> {
    await this.wait();
    await this.#window.activate();
    await this.evaluate((element) => element.focus());
  }

  /** Moves the focus to the first with the Tab key only. */
  async tabTo(): Promise<void> {
    await this.wait();
    await this.#window.activate();
    const hasFocus = () => this.evaluate((element) => element === document.activeElement);
    for (let presses = 0; !(await hasFocus()); presses += 1) {
      if (presses === 100) throw new Error(`The Tab key does not reach ${this.description}.`);
      await this.#window.press('Tab');
    }
  }

  /** The value of the first, a form control. */
  value(): Promise<string> {
    return this.evaluate((element) => (element as HTMLInputElement).value);
  }

  /** The visible text of the first, in one line. */
  text(): Promise<string> {
    return this.evaluate((element) => element.innerText.replace(/\s+/g, ' ').trim());
  }

  attribute(name: string): Promise<string | null> {
    return this.evaluate((element, key) => element.getAttribute(key), name);
  }

  /** Calls a function in the page with the first. It may use nothing outside of itself. */
  async evaluate<A extends readonly unknown[], R>(
    work: (element: HTMLElement, ...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> {
    const source = `(agent, queries, args) => {
      const [first] = agent.find(queries);
      if (!first) throw new Error('It is not there.');
      return (${String(work)})(first, ...args);
    }`;
    return (await this.#call(source, args)) as Awaited<R>;
  }

  /** Calls a function in the page with all. It may use nothing outside of itself. */
  async evaluateAll<R>(work: (elements: HTMLElement[]) => R): Promise<Awaited<R>> {
    return (await this.#call(`(agent, queries) => (${String(work)})(agent.find(queries))`)) as Awaited<R>;
  }

  /** What it looks for, for messages. */
  get description(): string {
    return this.#queries.map(describeQuery).join(' › ');
  }

  protected override inside(query: Query): Elements {
    return new Elements(this.#window, this.#engine, [...this.#queries, query]);
  }

  async #untilValueIs(expected: string): Promise<void> {
    let value = '';
    await until(
      async () => {
        value = await this.value();
        return value === expected || undefined;
      },
      () => `${this.description} is '${value}' instead of '${expected}'`,
    );
  }

  /** Calls a function with the page's agent, which is added to the page before its first use there. */
  async #call(source: string, args: readonly unknown[] = []): Promise<unknown> {
    const withAgent = `async (queries, args) => {
      if (!globalThis.pageAgent) return 'no agent';
      return { value: await (${source})(globalThis.pageAgent, queries, args) };
    }`;
    const answer = await this.#window.call(withAgent, [this.#queries, args]);
    if (answer !== 'no agent') return (answer as { readonly value: unknown }).value;
    await this.#window.call(`() => { (function () { ${LIBRARY} }).call(globalThis); (${String(addAgent)})(); }`, []);
    return this.#call(source, args);
  }
}

function toPattern(pattern: string | RegExp): Pattern {
  return typeof pattern === 'string' ? pattern : { source: pattern.source, flags: pattern.flags };
}

function describeQuery({ what = '', pattern }: Query): string {
  const text = typeof pattern === 'object' ? `/${pattern.source}/${pattern.flags}` : pattern;
  return [what, text === undefined ? '' : `'${text}'`].filter((part) => part !== '').join(' ');
}
