/**
 * The oldest supported browsers, all of May 2024. This is the only place that decides them: the build translates scripts
 * and styles for them, `tests/house/oldest-browsers.test.ts` compares what the page uses with MDN's data, and README.md
 * names them. What sets them: `light-dark()` (Chrome 123, Safari 17.5), `mod()` (Chrome 125), and popovers (Firefox 125).
 */
export const OLDEST_BROWSERS = { chrome: 125, edge: 125, firefox: 126, safari: 17.5, ios: 17.5 };
