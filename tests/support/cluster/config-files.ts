import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NOBODY } from '../daemons.ts';

/** The configuration files of a cluster, as `docs/operating.md` gives them to hosts. */
const TEMPLATES = join(import.meta.dirname, '../../../deploy/cluster');

/** The text of a file in `deploy/cluster`, with its `${NAME}`s replaced. Throws if a value is missing. */
export async function fillTemplate(name: string, values: Readonly<Record<string, string>>): Promise<string> {
  const template = await readFile(join(TEMPLATES, name), 'utf8');
  return template.replace(/\$\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`deploy/cluster/${name} needs a value for ${key}`);
    return value;
  });
}

/** Fills a file of `deploy/cluster` and writes it into a folder. Only the user who runs the programs may read it. */
export async function writeConfig(
  folder: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, await fillTemplate(name, values), { mode: 0o600 });
  if (NOBODY) await chown(path, NOBODY.uid, NOBODY.gid);
  return path;
}

/** Creates a folder that only the user who runs the programs may enter. */
export async function makeFolder(...path: readonly string[]): Promise<string> {
  const folder = join(...path);
  await mkdir(folder, { mode: 0o700 });
  if (NOBODY) await chown(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}
