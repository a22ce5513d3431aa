import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserEngine, BrowserWindow } from './browser-engine.ts';
import { addAgent, type Pattern, type Point, type Query } from './page-agent.ts';
import { until } from './until.ts';

const require = createRequire(import.meta.url);
const LIBRARY = readFileSync(require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8');

/** What a test finds in the page: elements by their role and name, as a user of a screen reader knows them. */
export abstract class Scope {
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
  async waitUntilGone(): Promise<void> {
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
