import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { appVersion } from '../../src/app/server/version.ts';
import { BACKED_UP_TABLES } from '../../src/base/server/db/tables/table-policies.ts';
import { RELEASES_FOLDER } from '../support/releases-folder.ts';

interface Lock {
  readonly version: string;
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
/** The released versions in the changelog, newest first. One without a date is not released yet. */
const entries = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gm)].map(([, name = '']) => name);

const kept = readdirSync(RELEASES_FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const newest = kept.at(-1) ?? '';

describe('a release', () => {
  it('has one version: in package.json, in the lock file, and first in the changelog', {
    tags: ['running.watching.3'],
  }, () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    expect([lock.version, lock.packages['']?.version, entries[0]]).toEqual([appVersion, appVersion, appVersion]);
  });

  it('has at most 60 lines in the changelog', () => {
    const [, ...releases] = changelog.split(/^(?=## )/m);
    expect(releases.length).toBeGreaterThan(1);
    const long = releases.map((text) => text.trimEnd().split('\n')).filter((lines) => lines.length > 60);
    expect(long.map(([heading]) => heading)).toEqual([]);
  });

  it('is kept with its data, and has its entry in the changelog', { tags: ['running.watching.3'] }, () => {
    expect(kept).toEqual(entries.toReversed());
  });

  it('keeps rows of every table that backups include, photographs of every format, and what both partners saw', {
    tags: ['running.watching.3'],
  }, () => {
    const rows = readFileSync(join(RELEASES_FOLDER, newest, 'rows.sql'), 'utf8');
    // A table that was added since is kept with the next release.
    const tables = readFileSync(join(RELEASES_FOLDER, newest, 'sqlite.sql'), 'utf8');
    const released = BACKED_UP_TABLES.filter((table) => tables.includes(`CREATE TABLE "${table}"`));
    expect(released.length).toBeGreaterThan(7);
    expect(released.filter((table) => !rows.includes(`insert into "${table}"`))).toEqual([]);
    const photographs = globSync('photos/*/*', { cwd: join(RELEASES_FOLDER, newest) }).map((path) => extname(path));
    expect(photographs).toEqual(expect.arrayContaining(['.jpg', '.png', '.gif', '.webp']));
    expect(JSON.parse(readFileSync(join(RELEASES_FOLDER, newest, 'story.json'), 'utf8'))).toHaveLength(2);
  });

  it('is kept in at most half a megabyte', { tags: ['running.watching.3'] }, () => {
    for (const name of kept) {
      const files = globSync('**/*', { cwd: join(RELEASES_FOLDER, name), withFileTypes: true }).filter((file) =>
        file.isFile(),
      );
      const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
      expect(bytes, name).toBeLessThan(500_000);
    }
  });
});
