import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

const damagedMemory = z.object({
  id: idOut,
  plannedDateId: idOut,
  /** Its caption, or else the name it had on the device. */
  title: z.string(),
  kind: z.enum(['lost', 'changed']),
  foundAt: instantOut,
});

const keeping = z.object({
  backup: z.object({
    /** Whether one is made each night. */
    isOn: z.boolean(),
    doneAt: instantOut.nullable(),
    /** When the last one was made that was looked through and found whole. */
    verifiedAt: instantOut.nullable(),
    /** Whether the last try went wrong. */
    hasFailed: z.boolean(),
  }),
  scrub: z.object({
    /** When the last round over all photographs was finished. */
    doneAt: instantOut.nullable(),
    damaged: z.array(damagedMemory),
  }),
  sweep: z.object({
    /** Why the server deletes no files that belong to no memory until an operator has looked; null where it does. */
    stopped: z.enum(['otherStore', 'olderDatabase', 'unknownCouples', 'tooMany']).nullable(),
  }),
});

export type KeepingStatus = z.output<typeof keeping>;

/** How our story is kept safe (issue: Nothing lost). */
export const keepingCalls = calls({
  'POST /api/export': {
    summary: 'A path from which everything of the couple can be downloaded, once and within a minute',
    reply: z.object({ url: z.string(), expiresAt: instantOut }),
    status: 201,
  },
  'GET /api/export/{code}': {
    summary: 'Everything of the couple: originals, an album, JSON and CSV',
    access: 'public',
    produces: 'application/zip',
    reply: null,
  },
  'GET /api/keeping': {
    summary: 'When it was backed up, whether every photograph is as it was, and whether the sweep is stopped',
    reply: keeping,
  },
});
