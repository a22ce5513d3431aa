import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import { assertOwnStore } from '../../base/server/files/store-identity.ts';
import { ALLOWED_EXTENSIONS, ALLOWED_TYPES, memoryLimits } from '../../memories/rules.ts';
import type { PreviewMaker } from '../../memories/server/pictures/preview-maker.ts';
import type { uploadCalls } from '../contract.ts';
import { limitUploads } from './limit-uploads.ts';
import { receiveForm } from './receive-form.ts';
import { tusRoutes } from './resumable/tus-routes.ts';
import { readMemoryAgain, savePhoto } from './save-photo.ts';
import { readUsedSpace } from './take-room.ts';
import { validatePhoto } from './validate-photo.ts';

/** The routes that upload photos. */
export function uploadRoutes(deps: Deps, previewMaker: PreviewMaker): Routes<typeof uploadCalls> {
  const runUpload = limitUploads(deps.now, () => assertOwnStore(deps));
  return {
    'GET /api/Memories/upload-info': async ({ session }) => ({
      maxFileSizeBytes: memoryLimits.fileSizeBytes,
      maxFiles: memoryLimits.files,
      maxCaptionLength: memoryLimits.caption,
      allowedTypes: [...ALLOWED_TYPES],
      allowedExtensions: [...ALLOWED_EXTENSIONS],
      ...(await readUsedSpace(deps, session)),
    }),

    'POST /api/Memories': {
      readAgain: ({ session }, id) => readMemoryAgain(deps, session, id),
      handle: (context) =>
        runUpload(context.session.coupleId, (place) =>
          savePhoto(deps, previewMaker, context, receiveForm(deps, context, place)),
        ),
    },

    'POST /api/Memories/validate': ({ request, session }) =>
      runUpload(session.coupleId, (place) => validatePhoto(deps, request, session.coupleId, place)),

    ...tusRoutes(deps, previewMaker, runUpload),
  };
}
