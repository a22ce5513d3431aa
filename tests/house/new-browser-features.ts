import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { root } from '../../scripts/lib/root.ts';

/** The names of the browsers in MDN's data. */
export type Browser = 'chrome' | 'edge' | 'firefox' | 'safari' | 'safari_ios';

/** A feature that is newer than one of the oldest supported browsers. */
export interface NewFeature {
  /** 'field-sizing', 'text-wrap: pretty', 'Promise.try' */
  readonly name: string;
  /** 'firefox 152' */
  readonly since: string;
  readonly file: string;
}

type Note = (name: string, compat: CompatStatement | undefined) => void;

/**
 * Finds what the page's styles and scripts use that a supported browser lacks, by MDN's data. Partial and prefixed
 * support counts, because the build adds prefixes. Syntax is missing here: the build translates it.
 */
export function findNewFeatures(oldest: Readonly<Record<Browser, number>>): NewFeature[] {
  const found: NewFeature[] = [];
  const noteIn =
    (file: string): Note =>
    (name, compat) => {
      for (const [browser, version] of Object.entries(oldest)) {
        const since = firstVersion(compat, browser as Browser);
        if (compat && isReal(compat) && since > version) found.push({ name, since: `${browser} ${since}`, file });
      }
    };
  for (const file of globSync('src/**/*.css', { cwd: root })) scanStyles(read(file), noteIn(file));
  const scripts = globSync(['src/**/{web,worker}/**/*.{ts,tsx}', 'src/*/*.ts'], { cwd: root });
  for (const file of scripts.filter((path) => !/\.test\.|\/server\//.test(path))) scanScript(read(file), noteIn(file));
  return found;
}

/** Whether any browser has it: MDN also lists what was only specified, and the same word may be a descriptor. */
function isReal(compat: CompatStatement): boolean {
  return Object.keys(compat.support).some(
    (browser) => firstVersion(compat, browser as Browser) < Number.POSITIVE_INFINITY,
  );
}

/** The first version of a browser that has a feature, or infinity. */
function firstVersion(compat: CompatStatement | undefined, browser: Browser): number {
  const statements = [compat?.support[browser] ?? []].flat() as SimpleSupportStatement[];
  const versions = statements
    // Partial support ends where full support begins.
    .filter((one) => (!one.version_removed || one.partial_implementation) && one.flags === undefined)
    .map(({ version_added }) => Number(String(version_added).replace('≤', '')))
    .filter((version) => version > 0);
  return Math.min(...versions, Number.POSITIVE_INFINITY);
}

function scanStyles(css: string, note: Note): void {
  const { properties, selectors, types, 'at-rules': rules } = bcd.css;
  for (const [, property = '', value = ''] of css.matchAll(/(?:^|[{;])\s*([a-z][a-z-]*)\s*:\s*([^;{}]+)[;}]/gm)) {
    note(property, properties?.[property]?.__compat);
    for (const [word] of value.matchAll(/[a-z-]+/g))
      note(`${property}: ${word}`, properties?.[property]?.[word]?.__compat);
  }
  for (const [, rule = ''] of css.matchAll(/@([a-z-]+)/g)) note(`@${rule}`, rules?.[rule]?.__compat);
  for (const [, pseudo = ''] of css.matchAll(/:([a-z][a-z-]*)/g)) note(`:${pseudo}`, selectors?.[pseudo]?.__compat);
  const groups = [types, types?.color, types?.gradient, types?.['basic-shape'], types?.['filter-function']];
  for (const [, name = ''] of css.matchAll(/([a-z-]+)\(/g)) {
    for (const group of groups) note(`${name}()`, group?.[name]?.__compat);
  }
}

function scanScript(script: string, note: Note): void {
  const { builtins } = bcd.javascript;
  const interfaces: Identifier = bcd.api;
  for (const [, type = '', member = ''] of script.matchAll(/\b([A-Z]\w+)\.(\w+)/g)) {
    note(`${type}.${member}`, builtins?.[type]?.[member]?.__compat);
    note(`${type}.${member}`, interfaces[type]?.[`${member}_static`]?.__compat);
  }
  for (const [, type = ''] of script.matchAll(/\bnew ([A-Z]\w+)/g)) {
    note(`new ${type}`, (builtins?.[type] ?? interfaces[type])?.__compat);
  }
  for (const [, object = '', member = ''] of script.matchAll(/\b(navigator|document|window)\.(\w+)/g)) {
    const type = object.charAt(0).toUpperCase() + object.slice(1);
    note(`${object}.${member}`, interfaces[type]?.[member]?.__compat);
  }
}

/** A file's text without its comments. */
function read(file: string): string {
  return readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
}
