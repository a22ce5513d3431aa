import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrations } from '../../src/base/server/db/migrations/index.ts';
import { RELEASES_FOLDER } from '../support/releases-folder.ts';

const names = Object.keys(migrations);

/** The migrations of each kept release. */
const releases = readdirSync(RELEASES_FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) =>
    readFileSync(join(RELEASES_FOLDER, name, 'migrations.txt'), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  .sort((a, b) => a.length - b.length);

it('migrations are listed in the order of their names, and those of a release never change', {
  tags: ['durability.nodes.13'],
}, () => {
  expect(names).toEqual(names.toSorted());
  expect(releases.length).toBeGreaterThan(0);
  for (const released of releases) expect(names.slice(0, released.length)).toEqual(released);
});

it('only the migrations of the first release are initial', () => {
  const initial = Object.entries(migrations).filter(([, { kind }]) => kind === 'initial');
  expect(initial.map(([name]) => name)).toEqual(releases[0]);
});

it('a remove migration needs an expand migration of an earlier release', { tags: ['durability.nodes.13'] }, () => {
  for (const [name, migration] of Object.entries(migrations)) {
    if (migration.kind !== 'remove') continue;
    const isEarlier = releases.some((released) => released.includes(migration.needs) && !released.includes(name));
    expect(isEarlier, `${name} needs ${migration.needs}, which no earlier release has`).toBe(true);
  }
});
