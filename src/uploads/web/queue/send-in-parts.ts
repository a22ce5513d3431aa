import { DetailedError, type HttpRequest, type HttpResponse, Upload, type UrlStorage } from 'tus-js-client';
import { splitName } from '../../../base/call.ts';
import { authorization, freshen } from '../../../base/web/api.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { uploadCalls } from '../../contract.ts';
import { giveUp } from './discard-photos.ts';
import { type Outgoing, outcomeOf, type Sent, STALLED_MS, stallWatch, THINKING_MS } from './send-result.ts';
import { dropUpload, type KeptUpload, keepUpload, keptUpload } from './unsent-store.ts';

const CALL: keyof typeof uploadCalls = 'POST /api/Memories/tus';
const PIECE_TYPE = 'application/offset+octet-stream';

/**
 * Sends one photograph in pieces, by tus: from where the server has it, also after a reload (issue 4). The library's
 * own retries are off: whoever sends knows when to try again. It never throws; `signal` takes it back.
 */
export function sendInPieces(photo: Outgoing, onShare: (share: number) => void, signal: AbortSignal): Promise<Sent> {
  const { file, attempt } = photo;
  return new Promise((resolve) => {
    const watch = stallWatch(() => end({ is: 'broken' }));
    const upload = new Upload(file, {
      endpoint: new URL(splitName(CALL).path, location.href).href,
      chunkSize: memoryLimits.pieceBytes,
      retryDelays: null,
      metadata: metadataOf(photo),
      fingerprint: () => Promise.resolve(attempt.key),
      urlStorage: addressOf(photo),
      onBeforeRequest: (request) => {
        watch.moved(STALLED_MS);
        return prepare(request, attempt.key);
      },
      onAfterResponse: stopWhereUnknown,
      onProgress: (sent, total) => {
        watch.moved(sent === total ? THINKING_MS : STALLED_MS);
        onShare(total === null ? 0 : sent / total);
      },
      onSuccess: ({ lastResponse }) => {
        if (isKept(lastResponse)) end({ is: 'kept' });
        // All of it is there, and it is no memory: its last answer got lost, or the server could not keep it then.
        else void askForEnd(upload.url ?? '', file.size, signal).then(end);
      },
      onError: (error) => end(outcomeOfError(error)),
    });
    const end = (sent: Sent) => {
      watch.stop();
      signal.removeEventListener('abort', aborted);
      // Where it has ended on its own this does nothing.
      void upload.abort();
      if (sent.is === 'kept' || sent.is === 'refused') void dropAddress(photo);
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

function metadataOf({ file, attempt: { dateId, caption } }: Outgoing): Record<string, string> {
  return { PlannedDateId: dateId, filename: file.name, ...(caption === '' ? {} : { Caption: caption }) };
}

/** A photograph may be longer on its way than a token lasts. */
async function prepare(request: HttpRequest, key: string): Promise<void> {
  await freshen();
  for (const [name, value] of Object.entries(authorization())) request.setHeader(name, value);
  if (request.getMethod() === 'POST') request.setHeader('idempotency-key', key);
}

/** An answer that ends it, where the library would begin the upload anew. */
class Stopped extends Error {
  readonly sent: Sent;

  constructor(sent: Sent) {
    super('The upload can not go on now');
    this.sent = sent;
  }
}

function stopWhereUnknown(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus();
  // Only what the server no longer has is begun anew.
  if (request.getMethod() === 'HEAD' && status >= 300 && status !== 404 && status !== 410) {
    throw new Stopped(outcomeOfResponse(response));
  }
}

function outcomeOfError(error: Error): Sent {
  if (!(error instanceof DetailedError)) return { is: 'broken' };
  if (error.causingError instanceof Stopped) return error.causingError.sent;
  return error.originalResponse ? outcomeOfResponse(error.originalResponse) : { is: 'broken' };
}

function outcomeOfResponse(response: HttpResponse): Sent {
  return outcomeOf({
    status: response.getStatus(),
    body: response.getBody(),
    header: (name) => response.getHeader(name) ?? null,
  });
}

const isKept = (response: HttpResponse) => Boolean(response.getHeader('content-location'));

/** A piece without bytes at the end: the server keeps the photograph now, or says again why it won't. */
async function askForEnd(url: string, size: number, signal: AbortSignal): Promise<Sent> {
  try {
    const headers = {
      ...authorization(),
      'tus-resumable': '1.0.0',
      'upload-offset': `${size}`,
      'content-type': PIECE_TYPE,
    };
    const response = await fetch(url, { method: 'PATCH', headers, body: '', signal });
    const body = await response.text();
    return outcomeOf({ status: response.status, body, header: (name) => response.headers.get(name) });
  } catch {
    return signal.aborted ? { is: 'aborted' } : { is: 'broken' };
  }
}

/** For a browser that keeps nothing: as long as the page lives, and the file with it. */
const addresses = new WeakMap<File, KeptUpload>();

/** Where an upload goes on, remembered in our own store: signing out clears it, and nothing lies in localStorage. */
function addressOf({ id, file }: Outgoing): UrlStorage {
  const found = async (key: string) => {
    const kept = addresses.get(file) ?? (await keptUpload(id));
    if (kept?.key !== key) {
      // Begun with other words, or for another date: it begins anew.
      if (kept) giveUp(kept.url);
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
      const kept = { key, url: uploadUrl ?? '' };
      addresses.set(file, kept);
      await keepUpload(id, kept);
      return id;
    },
    removeUpload: () => dropAddress({ id, file }),
  };
}

async function dropAddress({ id, file }: Pick<Outgoing, 'id' | 'file'>): Promise<void> {
  addresses.delete(file);
  await dropUpload(id);
}
