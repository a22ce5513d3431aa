import { describe, inject, type SuiteOptions } from 'vitest';

/**
 * The two combinations of database and photo store. What the queries, the database or the store can change is tested on
 * both; what they cannot, such as the parsing of a form, on SQLite alone.
 */
export interface Engine {
  readonly name: 'SQLite + disk' | 'PostgreSQL + S3';
}

export const sqliteAndDisk: Engine = { name: 'SQLite + disk' };
export const postgresAndS3: Engine = { name: 'PostgreSQL + S3' };
export const engines: readonly Engine[] = [sqliteAndDisk, postgresAndS3];

/** The engine of the journeys: SQLite and a folder, or PostgreSQL and S3 with `TEST_ENGINE=postgres`. */
export const engineOfJourneys = process.env.TEST_ENGINE === 'postgres' ? postgresAndS3 : sqliteAndDisk;

/**
 * Runs the same tests on both engines. Without an S3 server the second half is skipped and counted in the last line of
 * `npm test`; in CI it fails.
 */
export function describeOnBoth(name: string, tests: (engine: Engine) => void): void;
export function describeOnBoth(name: string, options: SuiteOptions, tests: (engine: Engine) => void): void;
export function describeOnBoth(
  name: string,
  optionsOrTests: SuiteOptions | ((engine: Engine) => void),
  testsAfterOptions?: (engine: Engine) => void,
): void {
  const options = typeof optionsOrTests === 'function' ? {} : optionsOrTests;
  const tests = typeof optionsOrTests === 'function' ? optionsOrTests : testsAfterOptions;
  for (const engine of engines) {
    describe.skipIf(isMissing(engine))(`${name} [${engine.name}]`, options, () => tests?.(engine));
  }
}

/** Runs tests on PostgreSQL and S3 alone. Without an S3 server they are skipped, as those of `describeOnBoth` are. */
export function describeOnPostgres(name: string, tests: (engine: Engine) => void): void {
  describe.skipIf(isMissing(postgresAndS3))(`${name} [${postgresAndS3.name}]`, () => {
    tests(postgresAndS3);
  });
}

/** Runs tests on SQLite and a folder alone: those of what no engine changes. */
export function describeOnSqlite(name: string, tests: (engine: Engine) => void): void {
  describe(`${name} [${sqliteAndDisk.name}]`, () => {
    tests(sqliteAndDisk);
  });
}

/** Tests in `describeOnBoth` of what no engine changes. */
export function onSqliteOnly(engine: Engine, tests: () => void): void {
  if (engine === sqliteAndDisk) tests();
}

/** Tests in `describeOnBoth` that need several nodes or writers, which SQLite doesn't support. */
export function onPostgresOnly(engine: Engine, tests: () => void): void {
  if (engine === postgresAndS3) tests();
}

function isMissing(engine: Engine): boolean {
  return engine === postgresAndS3 && !inject('hasS3') && !process.env.CI;
}
