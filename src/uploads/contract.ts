import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { memory } from '../memories/contract.ts';

/** The calls that upload photos: as a form, or in parts by the tus protocol. */
export const uploadCalls = defineCalls({
  'POST /api/Memories': {
    summary: 'Save a photo: 201, or 200 with the existing memory that has the same bytes',
    multipart: ['ImageFile', 'PlannedDateId', 'Caption'],
    reply: memory,
    status: 201,
    idempotent: true,
  },
  'OPTIONS /api/Memories/tus': { summary: 'The supported tus version and extensions', tus: {}, reply: null },
  'POST /api/Memories/tus': {
    summary: 'Start a resumable upload (tus 1.0.0). Location is its address',
    tus: { metadata: ['PlannedDateId', 'Caption', 'filename'] },
    reply: null,
    status: 201,
  },
  'HEAD /api/Memories/tus/{id}': {
    summary: 'The current Upload-Offset. Once the upload is a memory, Content-Location is its address',
    tus: {},
    reply: null,
  },
  'PATCH /api/Memories/tus/{id}': {
    summary: 'The next part. After the last one, the photo is checked and saved like a form upload',
    tus: { takesPart: true },
    reply: null,
  },
  'DELETE /api/Memories/tus/{id}': { summary: 'Cancel an unfinished upload', tus: {}, reply: null },
  'GET /api/Memories/upload-info': {
    summary: 'The upload limits, the bytes that the asker knows to be used, and the quota; null for none',
    reply: z.object({
      maxFileSizeBytes: z.int(),
      maxFiles: z.int(),
      maxCaptionLength: z.int(),
      allowedTypes: z.array(z.string()),
      allowedExtensions: z.array(z.string()),
      usedBytes: z.int(),
      quotaBytes: z.int().nullable(),
    }),
  },
  'POST /api/Memories/validate': {
    summary: 'Check a photo without storing it',
    multipart: ['ImageFile'],
    reply: z.object({ isValid: z.boolean(), errors: z.array(z.string()) }),
  },
});
