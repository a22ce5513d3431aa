import { expect, it } from 'vitest';
import { readClauses } from '../../scripts/lib/clauses.ts';
import { root } from '../../scripts/lib/root.ts';
import { latestMigration } from '../../src/base/server/db/migrations/index.ts';
import { columnsAfterMigration } from '../../src/base/server/db/tables/columns-after-migration.ts';
import { OPTIONAL_TEXTS, optionalTextNames } from '../../src/dates/optional-texts.ts';

// What the compiler doesn't see of docs/how-to/add-a-field.md.

it('each optional text of a date has a column that a migration adds', async () => {
  expect((await columnsAfterMigration(latestMigration)).get('dates')).toEqual(
    expect.arrayContaining([...optionalTextNames]),
  );
});

it('the clause of the optional texts names each with its limits', () => {
  const clause = readClauses(root).find(({ name }) => name === 'dates.texts.1');
  const texts = Object.values(OPTIONAL_TEXTS).map(
    ({ label, max, planMax }) => `'${label}' (${max}, ${planMax} when it is planned)`,
  );
  expect(clause?.text).toBe(`A date has optional texts, with limits in characters: ${texts.join(', ')}.`);
});
