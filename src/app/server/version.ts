import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the app: `1.0.0`. Its only source is package.json. */
export const appVersion = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { readonly version: string }
).version;
