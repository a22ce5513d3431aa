import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/tools.ts';

/** Licences under which a private, self-hosted application may carry a package along. */
const GOOD =
  /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|Zlib|OFL-1\.1|MPL-2\.0|CC-BY-4\.0|CC0-1\.0)$/;
/** libvips is linked by sharp as a library of its own, which the LGPL allows. */
const LINKED = 'LGPL-3.0-or-later';
/** Packages whose licence stands in their readme alone, read there. */
const READ: Readonly<Record<string, string>> = { 'node_modules/combine-errors': 'MIT' };

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { license?: string }>;
};
for (const [path, { license = READ[path] ?? 'none' }] of Object.entries(packages)) {
  if (path === '') continue;
  const parts = license.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
  if (parts.every((part) => GOOD.test(part) || (part === LINKED && path.includes('/@img/sharp-')))) continue;
  console.log(`${path}: its licence is '${license}'`);
  process.exitCode = 1;
}
