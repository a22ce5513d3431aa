import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OLDEST_BROWSERS } from '../../scripts/lib/oldest-browsers.ts';
import { root } from '../../scripts/lib/root.ts';
import { findNewFeatures } from './new-browser-features.ts';

/** What newer browsers have in addition, and what the others do without it. */
const OPTIONAL: Readonly<Record<string, string>> = {
  '@page': 'printed with the margins of the printer',
  'content-visibility': 'all cards are laid out at once',
  'content-visibility: auto': 'all cards are laid out at once',
  'cursor: grab': 'no pointer on a touch screen',
  'cursor: grabbing': 'no pointer on a touch screen',
  'cursor: not-allowed': 'no pointer on a touch screen',
  'cursor: pointer': 'no pointer on a touch screen',
  'cursor: progress': 'no pointer on a touch screen',
  'cursor: zoom-in': 'no pointer on a touch screen',
  'field-sizing': 'the text area keeps its height',
  'field-sizing: content': 'the text area keeps its height',
  'forced-color-adjust': 'only Windows has forced colors',
  'forced-color-adjust: none': 'only Windows has forced colors',
  'overflow-anchor': 'nothing to switch off',
  'overflow-anchor: none': 'nothing to switch off',
  'overflow-clip-margin': 'shadows end at the card',
  'print-color-adjust: exact': 'printed without backgrounds',
  resize: 'no handle on a touch screen',
  'resize: none': 'no handle on a touch screen',
  'resize: vertical': 'no handle on a touch screen',
  'scrollbar-width': 'the tabs show a scroll bar',
  'scrollbar-width: none': 'the tabs show a scroll bar',
  'text-size-adjust': 'only phones enlarge text by themselves',
  'text-wrap: pretty': 'a last line may have one word',
  'new URLPattern': 'only where the worker can add routes',
};

/** Loaded where it is missing. */
const POLYFILLED = /^Temporal\./;

it('the page uses nothing that the oldest supported browsers lack, or can do without it', {
  tags: ['screens.browsers.4'],
}, () => {
  const { ios, ...others } = OLDEST_BROWSERS;
  const found = findNewFeatures({ ...others, safari_ios: ios }).filter(({ name }) => !POLYFILLED.test(name));
  const missing = found.filter(({ name }) => !(name in OPTIONAL));
  expect(missing.map(({ name, since, file }) => `${name} needs ${since} (${file})`)).toEqual([]);
  const unused = Object.keys(OPTIONAL).filter((name) => !found.some((feature) => feature.name === name));
  expect(unused, 'no longer used, or in all supported browsers').toEqual([]);
});

it('README.md names the oldest supported browsers', { tags: ['screens.browsers.4'] }, () => {
  const { chrome, edge, firefox, safari, ios } = OLDEST_BROWSERS;
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(
    `Chrome ${chrome}, Edge ${edge}, Firefox ${firefox}, Safari ${safari}, and Safari on iOS ${ios}`,
  );
});
