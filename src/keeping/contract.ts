import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { idOut, instantOut } from '../base/schema.ts';

const damagedMemory = z.object({
  id: idOut,
  plannedDateId: idOut,
  /** The caption, or else the name the file had on the device. */
  title: z.string(),
  kind: z.enum(['lost', 'changed']),
  foundAt: instantOut,
});

const keeping = z.object({
  backup: z.object({
    /** Whether nightly backups are set up. */
    isOn: z.boolean(),
    doneAt: instantOut.nullable(),
    /** When the newest backup that passed verification was made. */
    verifiedAt: instantOut.nullable(),
    /** Whether the last attempt failed. */
    hasFailed: z.boolean(),
  }),
  scrub: z.object({
    /** When the last pass over all photographs finished. */
    doneAt: instantOut.nullable(),
    damaged: z.array(damagedMemory),
  }),
  sweep: z.object({
    /** Why the sweep has stopped, and no photograph is taken, until an operator looks into it. Null while both go on. */
    stopped: z.enum(['otherStore', 'olderDatabase']).nullable(),
  }),
});

export type KeepingStatus = z.output<typeof keeping>;

/** The calls for the export and for the state of backups, scrub and sweep. */
export const keepingCalls = defineCalls({
  'POST /api/export': {
    summary: 'Make a path to download all of the couple’s data, valid once and for a minute',
    reply: z.object({
      /** A path on this server. */
      url: z.string(),
      expiresAt: instantOut,
    }),
    status: 201,
  },
  'GET /api/export/{code}': {
    summary: 'All of the couple’s data: originals, an album, JSON and CSV',
    access: 'public',
    produces: 'application/zip',
    reply: null,
  },
  'GET /api/keeping': {
    summary: 'The last backup, damaged photographs, and whether the photo store is the right one',
    reply: keeping,
  },
});
