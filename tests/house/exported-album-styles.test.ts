import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
const theme = read('src/base/web/theme.css');
const album = read('src/keeping/server/export/album.css');

/** The custom properties that the rules with a selector declare, by name. */
function propertiesOf(css: string, selector: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, selectors = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selectors.split(',').some((one) => one.trim() === selector)) continue;
    for (const [, name = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
      if (!found.has(name)) found.set(name, value.replaceAll(/\s+/g, ''));
    }
  }
  return found;
}

it('the exported album has the colors and the font of the theme', () => {
  const { '--serif': _, ...copied } = Object.fromEntries(propertiesOf(album, ':root'));
  expect(Object.keys(copied)).toHaveLength(10);
  expect(Object.fromEntries(propertiesOf(theme, ':root'))).toMatchObject(copied);
  expect(album.replaceAll(/--[\w-]+:[^;]+;/g, '')).not.toMatch(/#[0-9a-f]{3}|\b(?:rgb|hsl|oklch)\(/);
});

it.each([
  ['.stub', 'upcoming'],
  ['.inprogress .stub', 'in-progress'],
  ['.cancelled .stub', null],
  ['.stamp', 'completed'],
])('the exported album has the tint of the theme for %s', (selector, hue) => {
  const usual = propertiesOf(theme, '[data-hue]');
  const expected = new Map([...usual, ...propertiesOf(theme, `[data-hue="${hue}"]`)]);
  const kind = selector.split(' ').at(-1) ?? '';
  const found = new Map([['--c', '1'], ...propertiesOf(album, kind), ...propertiesOf(album, selector)]);
  for (const name of ['--tint', '--tint-ink', '--h', '--c'])
    expect([name, found.get(name)]).toEqual([name, expected.get(name)]);
});
