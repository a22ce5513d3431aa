import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { idOut, instantOut, keptOrClearedInstant, keptOrClearedText, wholeNumber, zoneName } from '../base/schema.ts';
import { FORMATS, memoryLimits, SIZES } from './rules.ts';
import { SORTS, TIME_SORTS } from './sorts.ts';

/** A memory in responses. */
export const memory = z.object({
  id: idOut,
  plannedDateId: idOut,
  imageUrl: z.string(),
  previewUrl: z.string(),
  thumbnailUrl: z.string(),
  thumbHash: z.base64(),
  width: z.int().positive(),
  height: z.int().positive(),
  caption: z.string().nullable(),
  uploadedAt: instantOut,
  takenAt: instantOut.nullable(),
  happenedAt: instantOut,
  updatedAt: instantOut,
  fileName: z.string(),
  originalFileName: z.string(),
  fileExtension: z.enum(Object.values(FORMATS)),
  fileSizeBytes: z.int(),
  formattedFileSize: z.string(),
});

const page = {
  count: wholeNumber('count', 1, memoryLimits.countMax).optional(),
  sort: z.enum(SORTS, { error: `sort must be one of ${SORTS.join(', ')}` }).optional(),
  cursor: z.string().max(200).optional(),
  /** How many memories to skip after the cursor, to reach the middle of a long month. */
  skip: wholeNumber('skip', 0, memoryLimits.skipMax).optional(),
};

const month = z.object({
  /** '2026-11' */
  month: z.string(),
  count: z.int().positive(),
  /** The cursor of this month's first page. */
  cursor: z.string(),
});

const trashed = z.object({
  id: idOut,
  kind: z.enum(['memory', 'plannedDate']),
  title: z.string(),
  deletedAt: instantOut,
  deletedBy: z.object({ id: idOut, displayName: z.string() }),
  expiresAt: instantOut,
  memoryCount: z.int(),
});

export type Memory = z.output<typeof memory>;
export type MemoryMonth = z.output<typeof month>;
export type Trashed = z.output<typeof trashed>;

/** The calls of memories, their photos, and the trash. */
export const memoryCalls = defineCalls({
  'GET /api/Memories': {
    summary:
      'Memories, newest upload first unless sorted otherwise. Link has the next page, X-Total-Count the total number',
    query: z.object({ ...page, plannedDateId: z.string().optional() }),
    reply: z.array(memory),
  },
  'GET /api/Memories/months': {
    summary: 'The months of a list in its order, each with its number of memories and its first cursor',
    query: z.object({
      plannedDateId: z.string().optional(),
      sort: z.enum(TIME_SORTS, { error: `sort must be one of ${TIME_SORTS.join(', ')}` }).optional(),
      zone: zoneName('zone').optional(),
    }),
    reply: z.array(month),
  },
  'GET /api/Memories/planned-date/{plannedDateId}': {
    summary: "A date's memories, sorted and paged like all memories",
    query: z.object(page),
    reply: z.array(memory),
  },
  'GET /api/Memories/planned-date/{plannedDateId}/stats': {
    summary: "Statistics of a date's memories",
    reply: z.object({
      plannedDateId: idOut,
      memoryCount: z.int(),
      totalSizeBytes: z.int(),
      formattedTotalSize: z.string(),
      firstUploadedAt: instantOut.nullable(),
      lastUploadedAt: instantOut.nullable(),
    }),
  },
  'GET /api/Memories/image/{fileName}': {
    summary: 'The original photo by its stored file name',
    access: 'photo',
    produces: 'image/*',
    reply: null,
  },
  'GET /api/Memories/{id}': { summary: 'One memory', reply: memory },
  'PUT /api/Memories/{id}': {
    summary: 'Correct a memory: its caption, its date, and when it was taken. What is absent stays',
    body: z.object({
      caption: keptOrClearedText('Caption', memoryLimits.caption),
      plannedDateId: z.string({ error: 'Planned date is not an id' }).nullish(),
      takenAt: keptOrClearedInstant('Taken'),
    }),
    reply: memory,
    versioned: true,
  },
  'DELETE /api/Memories/{id}': { summary: 'Move a memory to the trash', reply: null },
  'GET /api/Memories/{id}/image': {
    summary: 'A photo: the original, preview or thumbnail',
    access: 'photo',
    query: z.object({ size: z.enum(SIZES, { error: `size must be one of ${SIZES.join(', ')}` }).optional() }),
    produces: 'image/*',
    reply: null,
  },
  'GET /api/Trash': { summary: 'What was deleted in the last 30 days, latest first', reply: z.array(trashed) },
  'POST /api/Trash/{id}/restore': {
    summary: 'Restore a memory, or a planned date with its memories',
    reply: z.looseObject({ id: idOut }),
  },
  'DELETE /api/Trash/{id}': { summary: 'Delete permanently', reply: null },
});
