import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/root.ts';

/** Licenses that let a private, self-hosted application ship a package. */
const ALLOWED =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|Zlib|OFL-1\.1|MPL-2\.0|CC-BY-4\.0|CC0-1\.0)$/;
/** sharp links libvips dynamically, which the LGPL allows. */
const DYNAMICALLY_LINKED = 'LGPL-3.0-or-later';
/** Licenses that a package states only in its readme. */
const FROM_README: Readonly<Record<string, string>> = { 'node_modules/combine-errors': 'MIT' };

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { license?: string }>;
};
for (const [path, { license = FROM_README[path] ?? 'none' }] of Object.entries(packages)) {
  if (path === '') continue;
  const parts = license.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
  if (parts.every((part) => ALLOWED.test(part) || (part === DYNAMICALLY_LINKED && path.includes('/@img/sharp-'))))
    continue;
  console.log(`${path}: its license is '${license}'`);
  process.exitCode = 1;
}
