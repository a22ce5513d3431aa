import { z } from 'zod';
import { calls } from '../base/call.ts';
import { memory } from '../memories/contract.ts';

/** Uploading photographs: as a form, or in pieces by the tus protocol (spec 7, contract 3). */
export const uploadCalls = calls({
  'POST /api/Memories': {
    summary: 'Keep a photograph: 201, or 200 with the memory that has the same bytes already',
    multipart: ['ImageFile', 'PlannedDateId', 'Caption'],
    reply: memory,
    status: 201,
    idempotent: true,
  },
  'OPTIONS /api/Memories/tus': { summary: 'What tus can do here', tus: {}, reply: null },
  'POST /api/Memories/tus': {
    summary: 'Begin a photograph that comes in pieces (tus 1.0.0): Location is where they go',
    tus: { metadata: ['PlannedDateId', 'Caption', 'filename'] },
    reply: null,
    status: 201,
  },
  'HEAD /api/Memories/tus/{id}': {
    summary: 'How much of it is here (Upload-Offset); once it is a memory, Content-Location names that',
    tus: {},
    reply: null,
  },
  'PATCH /api/Memories/tus/{id}': {
    summary: 'The next piece. After the last one it is judged and kept as by POST /api/Memories, and refused as by it',
    tus: { takesPiece: true },
    reply: null,
  },
  'DELETE /api/Memories/tus/{id}': { summary: 'Give an unfinished photograph up', tus: {}, reply: null },
  'GET /api/Memories/upload-info': {
    summary: 'What may be uploaded',
    reply: z.object({
      maxFileSizeBytes: z.int(),
      maxFiles: z.int(),
      maxCaptionLength: z.int(),
      allowedTypes: z.array(z.string()),
      allowedExtensions: z.array(z.string()),
    }),
  },
  'POST /api/Memories/validate': {
    summary: 'Judge a file as an upload would, and store nothing',
    multipart: ['ImageFile'],
    reply: z.object({ isValid: z.boolean(), errors: z.array(z.string()) }),
  },
});
