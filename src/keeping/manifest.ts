import { z } from 'zod';

/** What is said of a file of a backup, so that it can be told whether it is still the same. */
const listed = z.object({
  /** Below the backup's folder. */
  file: z.string().regex(/^tables\/[\w-]+\/\w+\.jsonl$/),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The last thing that a backup writes: without it there is no backup. Every file is named with its hash. */
export const manifest = z.object({
  format: z.literal('our-love-story backup'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Its number among the backups of its folder; 0 in a backup of an older version, which did not count them. */
  sequence: z.int().min(0).default(0),
  /** Where it comes from; it can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  /** The migration up to which the tables had come. */
  migration: z.string(),
  /** In the order in which they are to be filled. */
  tables: z.array(listed.extend({ table: z.string().regex(/^\w+$/) })),
  /** Its rows are name, size and hash of each photograph. */
  photographs: listed.extend({
    /** Of all photographs together. */
    totalBytes: z.int().min(0),
  }),
  /** Photographs that were lost or changed already when the backup was made, by their names. */
  damaged: z.array(z.string()),
  /** What its last verification found; null where it was never verified, or by an older version. */
  verification: z.object({ at: z.iso.datetime(), isWhole: z.boolean() }).nullable().default(null),
});

export type Manifest = z.output<typeof manifest>;
export type ListedFile = z.output<typeof listed>;

/** A photograph of a backup, which lies under its name in `photos/`. */
export const backupPhotograph = z.object({
  name: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type BackupPhotograph = z.output<typeof backupPhotograph>;
