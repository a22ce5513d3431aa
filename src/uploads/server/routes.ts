import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { ALLOWED_EXTENSIONS, ALLOWED_TYPES, memoryLimits } from '../../memories/rules.ts';
import type { Workshop } from '../../memories/server/pictures/workshop.ts';
import type { uploadCalls } from '../contract.ts';
import { tusRoutes } from './resumable/tus.ts';
import { keepPhotograph, receiveForm } from './save-photo.ts';
import { validatePhotograph } from './validate.ts';

/** The calls that bring photographs in (spec 7, contract 3). */
export function uploadRoutes(deps: Deps, workshop: Workshop): Routes<typeof uploadCalls> {
  return {
    'GET /api/Memories/upload-info': async () => ({
      maxFileSizeBytes: memoryLimits.fileSizeBytes,
      maxFiles: memoryLimits.files,
      maxCaptionLength: memoryLimits.caption,
      allowedTypes: [...ALLOWED_TYPES],
      allowedExtensions: [...ALLOWED_EXTENSIONS],
    }),

    'POST /api/Memories': (context) => keepPhotograph(deps, workshop, context, receiveForm(context.request)),

    'POST /api/Memories/validate': ({ request, session }) => validatePhotograph(deps, request, session.coupleId),

    ...tusRoutes(deps, workshop),
  };
}
