import type { Kysely } from 'kysely';

/**
 * A change of the tables, and what it means to a node of an older version (decision 29):
 * - `initial`: from before the first release, so that there is no older node.
 * - `expand`: adds only what an older node can ignore. Every older node works with the tables.
 * - `remove`: removes or tightens something that no node uses which knows the migration `needs`. It comes a release
 *   later than that one.
 */
export type SchemaMigration = Change & ({ kind: 'initial' | 'expand' } | { kind: 'remove'; needs: string });

interface Change {
  /** Changes the tables. Runs in one transaction with its entry in the list of executed migrations. */
  readonly up: (db: Kysely<unknown>) => Promise<void>;
}

/** Migrations by name; their order is the order of their names. */
export type Migrations = Readonly<Record<string, Readonly<SchemaMigration>>>;
