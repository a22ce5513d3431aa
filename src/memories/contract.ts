import { z } from 'zod';
import { calls } from '../base/call.ts';
import { idOut, instantOut, wholeNumber, zoneName } from '../base/schema.ts';
import { DATE_SORTS, FORMATS, memoryLimits, SIZES, SORTS } from './rules.ts';

/** A memory as every call answers it. */
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
  /** So many further than the cursor: to the middle of a long month, without what lies before it. */
  skip: wholeNumber('skip', 0, memoryLimits.skipMax).optional(),
};

const month = z.object({
  /** '2026-11' */
  month: z.string(),
  count: z.int().positive(),
  /** The page from here on begins with this month. */
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

/** Memories, their pictures, and the trash (spec 7, contract 3). */
export const memoryCalls = calls({
  'GET /api/Memories': {
    summary: 'Memories, newest first; more by the Link header, all of them counted in X-Total-Count',
    query: z.object({ ...page, plannedDateId: z.string().optional() }),
    reply: z.array(memory),
  },
  'GET /api/Memories/months': {
    summary: 'How many memories each month has, in the order of the list, and where each begins',
    query: z.object({
      plannedDateId: z.string().optional(),
      sort: z.enum(DATE_SORTS, { error: `sort must be one of ${DATE_SORTS.join(', ')}` }).optional(),
      zone: zoneName('zone').optional(),
    }),
    reply: z.array(month),
  },
  'GET /api/Memories/planned-date/{plannedDateId}': {
    summary: "A date's memories; ordered and paged as all are",
    query: z.object(page),
    reply: z.array(memory),
  },
  'GET /api/Memories/planned-date/{plannedDateId}/stats': {
    summary: "A date's memories in figures",
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
    summary: 'The original, by the name it is stored under',
    access: 'photo',
    produces: 'image/*',
    reply: null,
  },
  'GET /api/Memories/{id}': { summary: 'One memory', reply: memory },
  'DELETE /api/Memories/{id}': { summary: 'Put a memory into the trash', reply: null },
  'GET /api/Memories/{id}/image': {
    summary: 'The photograph: original, preview or thumbnail',
    access: 'photo',
    query: z.object({ size: z.enum(SIZES, { error: `size must be one of ${SIZES.join(', ')}` }).optional() }),
    produces: 'image/*',
    reply: null,
  },
  'GET /api/Trash': { summary: 'What lies 30 days in Recently deleted, latest first', reply: z.array(trashed) },
  'POST /api/Trash/{id}/restore': {
    summary: 'Put it back: the memory, or the planned date with its memories',
    reply: z.looseObject({ id: idOut }),
  },
  'DELETE /api/Trash/{id}': { summary: 'Delete at once and for good', reply: null },
});
