import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';

/** What formats dates and times, and what formats numbers, by the only file that may. */
const FORMATTERS = {
  'src/base/date-formats.ts':
    /Intl\.DateTimeFormat(?!.*\.resolvedOptions)|Intl\.(RelativeTime|Duration)Format|\.toLocale(Date|Time)String|\.to(Date|Time)String\(|hour12/,
  'src/base/number-texts.ts': /Intl\.NumberFormat|\.toLocaleString/,
} as const;

it('one file formats all dates and times, and one all numbers', { tags: ['screens.words.5'] }, () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  for (const [formatter, pattern] of Object.entries(FORMATTERS)) {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([formatter]);
  }
});
