/** A browser engine that the tests drive without Playwright, which has only builds of its own of it. */
export interface BrowserEngine {
  readonly name: 'Firefox' | 'WebKit';
  /** Whether the keys of a date field move on to its next part by themselves when a part is complete. */
  readonly advancesInDateFields: boolean;
  /** What the protocol can do only through the page, in HTML that the test's proxy changes. */
  readonly needsRecorderInPage: boolean;
  isInstalled(): boolean;
  /** Starts the browser, headless or on a display of its own. */
  start(): Promise<RunningBrowser>;
}

export interface RunningBrowser {
  /** Opens a window with cookies and storage of its own, as on another device. */
  open(): Promise<BrowserWindow>;
  close(): Promise<void>;
}

/** The keys that have no character. */
export type Key = 'ArrowLeft' | 'ArrowRight' | 'Backspace' | 'Enter' | 'Escape' | 'Tab';

/** What the two protocols have in common: the least that `Tab` needs. */
export interface BrowserWindow {
  /** Opens a URL and waits until it is loaded. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Goes through the history: -1 is back. Does not wait, because a page may cancel it. */
  traverse(steps: -1 | 1): Promise<void>;
  /**
   * Calls a function in the page and awaits its result.
   * @param source of the function; it may not use anything outside of itself
   * @param args JSON values
   * @returns its result, a JSON value
   */
  call(source: string, args: readonly unknown[]): Promise<unknown>;
  /** Presses and releases the left button at a point of the viewport, in CSS pixels. */
  click(x: number, y: number): Promise<void>;
  /** Gives the window the focus of the user. */
  activate(): Promise<void>;
  /** Types characters into the focused element, key by key. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Chooses files in the file input that a selector finds. */
  setFiles(selector: string, paths: readonly string[]): Promise<void>;
  /** Adds a session cookie that scripts cannot read. */
  setCookie(url: string, name: string, value: string): Promise<void>;
  /** Sets the size of the viewport in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  /** A PNG of the viewport. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}
