import { z } from 'zod';
import { plural } from '../base/number-texts.ts';

/** A file of a backup, with its size and hash. */
const listed = z.object({
  /** Path relative to the backup folder. */
  file: z.string().regex(/^tables\/[\w-]+\/\w+\.jsonl$/),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The manifest, which a backup writes last: a backup exists once its manifest does. It lists every file with its hash. */
export const manifest = z.object({
  format: z.literal('our-love-story backup'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The backup's number in its folder; 0 if an older version made it, which didn't number backups. */
  sequence: z.int().min(0).default(0),
  /** The engine it was made from. It can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  /** The id of the database (see `StoreIdentityTable`); null if an older version made the backup. */
  database: z.string().max(100).nullable().default(null),
  /** The last migration applied to the tables. */
  migration: z.string(),
  /** In the order in which to fill them. */
  tables: z.array(listed.extend({ table: z.string().regex(/^\w+$/) })),
  /** A list of `backupPhotograph` rows. */
  photographs: listed.extend({
    /** Size of all photographs together. */
    totalBytes: z.int().min(0),
  }),
  /** Names of photographs that were already lost or changed when the backup was made. */
  damaged: z.array(z.string()),
  /**
   * A list of `backupPhotograph` rows: the damaged photographs that the backup has, as they were. Apart from the others,
   * because older versions take those for good. Null if there are none, or an older version made the backup.
   */
  changed: listed.nullable().default(null),
  /** Result of the last verification; null if the backup was never verified, or only by an older version. */
  verification: z.object({ at: z.iso.datetime(), isWhole: z.boolean() }).nullable().default(null),
});

export type Manifest = z.output<typeof manifest>;
export type ListedFile = z.output<typeof listed>;

/** A photograph of a backup. Its file is `photos/<name>`, or `changed/<sha256>` if it is listed as changed. */
export const backupPhotograph = z.object({
  name: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type BackupPhotograph = z.output<typeof backupPhotograph>;

/** How many rows of a table a backup has. */
export function rowsIn({ tables }: Manifest, table: string): number {
  return tables.find((one) => one.table === table)?.rows ?? 0;
}

/** Describes a backup's contents: '1 couple, 12 ideas, 40 dates and 200 photographs'. */
export function describeContents(manifest: Manifest): string {
  const { photographs, changed } = manifest;
  const parts = [
    plural(rowsIn(manifest, 'couples'), 'couple', 'couples'),
    plural(rowsIn(manifest, 'ideas'), 'idea', 'ideas'),
    plural(rowsIn(manifest, 'dates'), 'date', 'dates'),
  ];
  return `${parts.join(', ')} and ${plural(photographs.rows + (changed?.rows ?? 0), 'photograph', 'photographs')}`;
}
