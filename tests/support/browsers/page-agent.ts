/** A text, or the parts of a regular expression. */
export type Pattern = string | { readonly source: string; readonly flags: string };

/** How to find elements: inside of the one before, visible, and not hidden from a screen reader. */
export interface Query {
  readonly by: 'role' | 'label' | 'text' | 'selector';
  /** A role or a selector; a label or a text goes by its pattern. */
  readonly what?: string;
  /** The accessible name, the label, or the text. */
  readonly pattern?: Pattern;
}

/** Where an element is, or why nobody could click it. */
export type Point = { readonly x: number; readonly y: number } | { readonly problem: string };

/** What the driver calls in the page. */
export interface PageAgent {
  find(queries: readonly Query[]): HTMLElement[];
  /** The middle of an element that has stopped moving and is covered by nothing, after scrolling to it. */
  point(queries: readonly Query[]): Promise<Point>;
}

interface Library {
  queryAllByRole(scope: HTMLElement, role: string, options: { name?: string | RegExp }): HTMLElement[];
  queryAllByLabelText(scope: HTMLElement, label: string | RegExp): HTMLElement[];
  queryAllByText(scope: HTMLElement, text: string | RegExp): HTMLElement[];
}

/**
 * Adds the agent to the page. It runs in the page, after Testing Library, and may not use anything outside of itself.
 */
export function addAgent(): void {
  const page = globalThis as unknown as { TestingLibraryDom: Library; pageAgent: PageAgent };
  const library = page.TestingLibraryDom;

  const match = (scope: HTMLElement, { by, what = '', pattern = '' }: Query): HTMLElement[] => {
    const text = typeof pattern === 'string' ? pattern : new RegExp(pattern.source, pattern.flags);
    if (by === 'role') return library.queryAllByRole(scope, what, text === '' ? {} : { name: text });
    if (by === 'label') return library.queryAllByLabelText(scope, text);
    if (by === 'text') return library.queryAllByText(scope, text);
    return [...scope.querySelectorAll<HTMLElement>(what)];
  };

  const find = (queries: readonly Query[]): HTMLElement[] => {
    let scopes = [document.body];
    for (const query of queries) {
      const found = new Set(scopes.flatMap((scope) => match(scope, query)));
      scopes = [...found].filter((element) => element.checkVisibility());
    }
    return scopes;
  };

  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

  const middleOf = (element: HTMLElement) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };

  const point = async (queries: readonly Query[]): Promise<Point> => {
    const [found] = find(queries);
    if (!found) return { problem: 'is not there' };
    if (found.matches(':disabled, [aria-disabled="true"]')) return { problem: 'is disabled' };
    // A radio button may be drawn by its label.
    const { labels } = found as HTMLInputElement;
    const parts = [found, ...(labels ?? [])];
    const shown = parts.find((part) => part.getBoundingClientRect().width > 2) ?? found;
    shown.scrollIntoView({ block: 'center', behavior: 'instant' });
    await nextFrame();
    const before = middleOf(shown);
    await nextFrame();
    const { x, y } = middleOf(shown);
    if (x !== before.x || y !== before.y) return { problem: 'is moving' };
    const top = document.elementFromPoint(x, y);
    const isHit = top !== null && parts.some((part) => part.contains(top) || top.contains(part));
    return isHit ? { x, y } : { problem: `is covered by ${top?.outerHTML.slice(0, 200)}` };
  };

  page.pageAgent = { find, point };
}
