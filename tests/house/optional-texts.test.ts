import { describe, expect, it } from 'vitest';
import { readClauses } from '../../scripts/lib/clauses.ts';
import { root } from '../../scripts/lib/tools.ts';
import { latestMigration } from '../../src/base/server/db/migrations/index.ts';
import { columnsAfter } from '../../src/base/server/db/tables/columns.ts';
import { OPTIONAL_TEXTS, optionalTextNames } from '../../src/dates/optional-texts.ts';

/** What the compiler doesn't see of docs/how-to/add-a-field.md. */
describe.each(optionalTextNames)('the optional text %s of a date', (name) => {
  const { label, max, planMax } = OPTIONAL_TEXTS[name];

  it('has a column that a migration adds', async () => {
    expect((await columnsAfter(latestMigration)).get('dates')).toContain(name);
  });

  it('stands in its clause with its limits', () => {
    const clause = readClauses(root).find((one) => one.name === 'dates.texts.1');
    expect(clause?.text).toContain(`'${label}' (${max}, ${planMax} when it is planned)`);
  });
});
