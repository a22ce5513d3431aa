import { DetailedError, type HttpRequest, type HttpResponse, Upload, type UrlStorage } from 'tus-js-client';
import { splitName } from '../../../base/call.ts';
import { authorization, renewStaleToken } from '../../../base/web/net/access-token.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { uploadCalls } from '../../contract.ts';
import { terminateUpload } from './discard-photos.ts';
import { type HttpResult, type OutgoingPhoto, type SendResult, toSendResult } from './send-result.ts';
import { deleteUploadAddress, readUploadAddress, saveUploadAddress } from './unsent-store.ts';
import { STALLED_MS, THINKING_MS, watchForStall } from './watch-for-stall.ts';

const CALL: keyof typeof uploadCalls = 'POST /api/Memories/tus';
const PART_TYPE = 'application/offset+octet-stream';

/**
 * Sends one photo in parts by tus, and resumes at the server's offset, even after a reload (uploads.sending.12). The library's
 * retries are off, since the uploader decides when to retry. It never throws; `signal` cancels it.
 */
export function sendInParts(
  photo: OutgoingPhoto,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<SendResult> {
  const { file, attempt } = photo;
  return new Promise((resolve) => {
    const watch = watchForStall(() => end({ is: 'broken' }));
    const upload = new Upload(file, {
      endpoint: new URL(splitName(CALL).path, location.href).href,
      chunkSize: memoryLimits.partBytes,
      retryDelays: null,
      metadata: metadataOf(photo),
      fingerprint: () => Promise.resolve(attempt.key),
      urlStorage: urlStorageFor(photo),
      onBeforeRequest: (request) => {
        watch.moved(STALLED_MS);
        return prepare(request, attempt.key);
      },
      onAfterResponse: stopOnError,
      onProgress: (sent, total) => {
        watch.moved(sent === total ? THINKING_MS : STALLED_MS);
        onShare(total === null ? 0 : sent / total);
      },
      onSuccess: ({ lastResponse }) => {
        const sent = resultOfResponse(lastResponse);
        if (sent.is === 'kept') end(sent);
        // All bytes are there, but no memory: the last response was lost, or the server could not save it.
        else void retryFinish(upload.url ?? '', file.size, signal).then(end);
      },
      onError: (error) => end(resultOfError(error)),
    });
    const end = (sent: SendResult) => {
      watch.stop();
      signal.removeEventListener('abort', aborted);
      // Does nothing if the upload has already ended.
      void upload.abort();
      if (sent.is === 'kept' || sent.is === 'refused') void deleteUploadAddress(photo.id);
      resolve(sent);
    };
    const aborted = () => end({ is: 'aborted' });
    signal.addEventListener('abort', aborted);
    watch.moved(STALLED_MS);
    void upload.findPreviousUploads().then(([begun]) => {
      if (signal.aborted) return;
      if (begun) upload.resumeFromPreviousUpload(begun);
      upload.start();
    });
  });
}

function metadataOf({ file, attempt: { dateId, caption } }: OutgoingPhoto): Record<string, string> {
  return { PlannedDateId: dateId, filename: file.name, ...(caption === '' ? {} : { Caption: caption }) };
}

/** Refreshes the token for each request, since an upload may take longer than a token is valid. */
async function prepare(request: HttpRequest, key: string): Promise<void> {
  await renewStaleToken();
  for (const [name, value] of Object.entries(authorization())) request.setHeader(name, value);
  if (request.getMethod() === 'POST') request.setHeader('idempotency-key', key);
}

/** Thrown to end the upload with a result, where the library would start it again. */
class StopUpload extends Error {
  readonly sent: SendResult;

  constructor(sent: SendResult) {
    super('The upload cannot continue now');
    this.sent = sent;
  }
}

function stopOnError(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus();
  // Start again only if the server no longer has the upload.
  if (request.getMethod() === 'HEAD' && status >= 300 && status !== 404 && status !== 410) {
    throw new StopUpload(resultOfResponse(response));
  }
}

function resultOfError(error: Error): SendResult {
  if (!(error instanceof DetailedError)) return { is: 'broken' };
  if (error.causingError instanceof StopUpload) return error.causingError.sent;
  return error.originalResponse ? resultOfResponse(error.originalResponse) : { is: 'broken' };
}

function resultOfResponse(response: HttpResponse): SendResult {
  const header = (name: string) => response.getHeader(name) ?? null;
  return toSendResult({ status: response.getStatus(), body: response.getBody(), header, confirms: isSaved(header) });
}

/** Whether a response says where the saved memory is. */
const isSaved = (header: HttpResult['header']) => Boolean(header('content-location'));

/** Sends an empty last part, so that the server saves the photo now or repeats its refusal. */
async function retryFinish(url: string, size: number, signal: AbortSignal): Promise<SendResult> {
  try {
    const headers = {
      ...authorization(),
      'tus-resumable': '1.0.0',
      'upload-offset': `${size}`,
      'content-type': PART_TYPE,
    };
    const response = await fetch(url, { method: 'PATCH', headers, body: '', signal });
    const header = (name: string) => response.headers.get(name);
    return toSendResult({ status: response.status, body: await response.text(), header, confirms: isSaved(header) });
  } catch {
    return signal.aborted ? { is: 'aborted' } : { is: 'broken' };
  }
}

/** Stores the upload's address in our IndexedDB instead of localStorage, so that signing out deletes it. */
function urlStorageFor({ id, file }: OutgoingPhoto): UrlStorage {
  const found = async (key: string) => {
    const kept = await readUploadAddress(id);
    if (kept?.key !== key) {
      // The caption or the date has changed, so a new upload starts.
      if (kept) terminateUpload(kept.url);
      return [];
    }
    const { url } = kept;
    return [
      { size: file.size, metadata: {}, creationTime: '', urlStorageKey: id, uploadUrl: url, parallelUploadUrls: null },
    ];
  };
  return {
    findAllUploads: () => Promise.resolve([]),
    findUploadsByFingerprint: found,
    addUpload: async (key, { uploadUrl }) => {
      await saveUploadAddress(id, { key, url: uploadUrl ?? '' });
      return id;
    },
    removeUpload: () => deleteUploadAddress(id),
  };
}
