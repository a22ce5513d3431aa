import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { textOrNull } from '../../../base/clean-text.ts';
import type { FieldError } from '../../../base/problem.ts';
import { notFound, Refusal, type RefusalStatus } from '../../../base/refusal.ts';
import { StreamAnswer } from '../../../base/server/calls/answer.ts';
import { idempotencyKeyOf } from '../../../base/server/calls/idempotency-key.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { assertOwnStore } from '../../../base/server/files/store-identity.ts';
import type { TransferPlace } from '../../../base/server/http/transfer-places.ts';
import { readVisibility } from '../../../dates/server/visibility-store.ts';
import { cleanFileName } from '../../../memories/file-name.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { PreviewMaker } from '../../../memories/server/pictures/preview-maker.ts';
import type { uploadCalls } from '../../contract.ts';
import { captionInput } from '../check-upload-form.ts';
import { assertTakesMemories, findDateToAdd } from '../find-date-to-add.ts';
import type { RunUpload } from '../limit-uploads.ts';
import { photoTooLarge, wrongType } from '../read-form.ts';
import { assertRoom } from '../take-room.ts';
import { readMetadata, type TusMetadata } from './tus-metadata.ts';
import { wrongOffset } from './upload-parts.ts';
import { findUpload, findUploadByKey, isExpired, type UploadRow, uploadExpired } from './upload-store.ts';

const PATH = '/api/Memories/tus';

type TusRoutes = Routes<typeof uploadCalls>;
type TusName = Extract<keyof TusRoutes, `${string} ${typeof PATH}${string}`>;

/** What a tus route gets from its context. */
interface TusContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Session;
  readonly params: { readonly id?: string };
  /** The place of a request with a part. */
  readonly place?: TransferPlace;
}

/**
 * The routes for resumable uploads by tus 1.0.0. `@tus/server` handles the protocol, with our own data store
 * and lock. It takes a web `Request` and returns a `Response`, so our headers, refusals and log apply as on every route.
 */
export function tusRoutes(deps: Deps, previewMaker: PreviewMaker, runUpload: RunUpload): Pick<TusRoutes, TusName> {
  const checkEarly = async ({ reply, session, params: { id = '' } }: TusContext) => {
    reply.header('tus-resumable', '1.0.0');
    const row = await findUpload(deps.db.read, session.coupleId, id);
    // Read visibility last, so that a date that is hidden in between counts. It is read without a row too, so that the
    // time of the answer tells nothing.
    const { hiddenDates } = await readVisibility(deps.db.read, session, deps.now());
    // A user's own upload stays visible: it tells that user nothing new, and its last request says why the photograph
    // can't be added.
    const isHidden = row !== null && row.userId !== session.userId && hiddenDates.includes(row.dateId);
    if (!row || isHidden) throw notFound('Upload');
    if (isExpired(row, deps.now())) throw uploadExpired();
  };
  const handle = (context: TusContext) => runTus(deps, previewMaker, context, context.params.id ?? null);
  const existing = { checkEarly, handle };
  return {
    'OPTIONS /api/Memories/tus': (context) => runTus(deps, previewMaker, context, null),
    'POST /api/Memories/tus': {
      checkEarly: async ({ request, reply, session }) => {
        reply.header('tus-resumable', '1.0.0');
        const dateId = textOrNull(metadataOf(request).get('PlannedDateId'));
        if (dateId !== null) await findDateToAdd(deps, session, dateId);
      },
      handle: async (context) => {
        await assertOwnStore(deps);
        const upload = await findOrPrepareUpload(deps, context);
        return runTus(deps, previewMaker, context, upload.id, upload);
      },
    },
    'HEAD /api/Memories/tus/{id}': existing,
    'PATCH /api/Memories/tus/{id}': {
      checkEarly,
      handle: (context) => runUpload(context.session.coupleId, (place) => handle({ ...context, place })),
    },
    'DELETE /api/Memories/tus/{id}': existing,
  };
}

const metadataOf = (request: FastifyRequest): TusMetadata =>
  readMetadata([request.headers['upload-metadata'] ?? ''].flat().join(','));

/**
 * The row of the upload that a POST starts, or the existing row if the same key already started it.
 * @throws Refusal 413, 415, 400, 404, 409, 507 as a form upload does; 422 if the key was used for another upload
 */
async function findOrPrepareUpload(deps: Deps, { request, session }: TusContext): Promise<UploadRow> {
  const key = idempotencyKeyOf(request);
  const metadata = metadataOf(request);
  const sizeBytes = Number(request.headers['upload-length']);
  if (sizeBytes > memoryLimits.fileSizeBytes) throw photoTooLarge();
  if (sizeBytes === 0) throw wrongType(sizeBytes);
  const { dateId, caption } = assertMetadata(metadata);
  const date = await findDateToAdd(deps, session, dateId);
  const known = key === null ? null : await findUploadByKey(deps.db.read, session.coupleId, key);
  if (known && !isExpired(known, deps.now())) {
    if (known.sizeBytes === sizeBytes && known.dateId === dateId && known.caption === caption) return known;
    throw new Refusal(422, 'This Idempotency-Key was used for another request. Nothing was saved.');
  }
  assertTakesMemories(date.status);
  await assertRoom(deps, session, sizeBytes, key);
  return {
    coupleId: session.coupleId,
    id: uuidv7(),
    userId: session.userId,
    key,
    dateId,
    caption,
    sizeBytes,
    deviceName: cleanFileName(metadata.get('filename') ?? '', ''),
    receivedBytes: 0,
    createdAt: deps.now(),
    memoryId: null,
    refusal: null,
    lockedBy: null,
    lockedUntil: 0,
    lockWanted: 0,
  };
}

function assertMetadata(metadata: TusMetadata): { dateId: string; caption: string | null } {
  const errors: FieldError[] = [...metadata]
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, message: `${field} is not UTF-8` }));
  const dateId = textOrNull(metadata.get('PlannedDateId'));
  if (dateId === null) errors.push({ field: 'PlannedDateId', message: 'Please choose a date' });
  const caption = captionInput.safeParse(metadata.get('Caption'));
  if (!caption.success) errors.push(...caption.error.issues.map(({ message }) => ({ field: 'Caption', message })));
  if (dateId === null || !caption.success || errors.length > 0) {
    throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
  }
  return { dateId, caption: caption.data };
}

/**
 * Handles a request with `@tus/server`, and turns its errors into our refusals.
 * @param id the upload's id; null for OPTIONS
 * @param newUpload the row to create, for a POST
 */
async function runTus(
  deps: Deps,
  previewMaker: PreviewMaker,
  { request, reply, session, place }: TusContext,
  id: string | null,
  newUpload: UploadRow | null = null,
): Promise<StreamAnswer> {
  // Loaded on first use: it takes 23 MB of memory, and only large photos need it.
  const [{ Server }, { TusStore }, { uploadLocker }] = await Promise.all([
    import('@tus/server'),
    import('./tus-store.ts'),
    import('./upload-lock.ts'),
  ]);
  let failure: unknown;
  const tus = new Server({
    path: PATH,
    relativeLocation: true,
    datastore: new TusStore(deps, previewMaker, session, newUpload),
    locker: uploadLocker(deps, session.coupleId),
    // Milliseconds for a request that must give up its lock to end by itself. Then it is aborted.
    lockDrainTimeout: 200,
    maxSize: memoryLimits.fileSizeBytes,
    namingFunction: () => id ?? '',
    getFileIdFromRequest: () => id ?? undefined,
    onResponseError: (_, error) => {
      failure = error;
      return undefined;
    },
  });
  const response = await tus.handleWeb(toWeb(request, place));
  if (failure !== undefined) throw refusalOfTus(failure);
  if (!response.ok) {
    if (response.status === 412) reply.header('tus-version', '1.0.0');
    throw new Refusal(response.status as RefusalStatus, (await response.text()).trim());
  }
  return new StreamAnswer(null, response.status, {
    ...headersOf(response),
    ...(id === null ? {} : await memoryLocation(deps, session, id)),
    'cache-control': 'no-store',
  });
}

/** A web `Request` with only the protocol's headers. Its body can be left unread without closing the connection. */
function toWeb(request: FastifyRequest, place: TransferPlace | undefined): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(tus|upload)-|^content-(type|length)$/.test(name)) headers.set(name, [value ?? ''].flat().join(','));
  }
  const { method } = request;
  // The library takes only the id from the address, and `getFileIdFromRequest` gives it that.
  const url = `http://localhost${PATH}`;
  return new Request(
    url,
    place ? { method, headers, body: bodyOf(request, place), duplex: 'half' } : { method, headers },
  );
}

/** A request's body. It fails if another upload takes its place. */
function bodyOf({ raw }: FastifyRequest, { signal, moved, keep }: TransferPlace): ReadableStream<Uint8Array> {
  const chunks = raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
  const { promise: taken, reject } = Promise.withResolvers<never>();
  taken.catch(() => undefined);
  signal.addEventListener('abort', () => reject(signal.reason as Error));
  return ReadableStream.from({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const chunk = await Promise.race([chunks.next(), taken]);
        if (chunk.done) keep();
        else moved(chunk.value.length);
        return chunk;
      },
      return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
    }),
  });
}

/** The protocol's own response headers, without the CORS headers that the library adds. */
function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => /^(tus|upload)-|^location$/.test(name)));
}

/** A `Content-Location` header with the memory that a finished upload became. */
async function memoryLocation({ db }: Deps, { coupleId }: Session, id: string): Promise<Record<string, string>> {
  const { memoryId = null } = (await findUpload(db.read, coupleId, id)) ?? {};
  return memoryId === null ? {} : { 'content-location': `/api/Memories/${memoryId}` };
}

/** Turns an error of the library into a Refusal with our message. Other errors stay as they are. */
function refusalOfTus(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('status_code' in error)) return error;
  switch (error.status_code) {
    case 409:
      return wrongOffset();
    case 410:
      return uploadExpired();
    case 413:
      return photoTooLarge();
    default:
      return new Refusal(400, 'The upload is malformed or was interrupted. The bytes received so far are kept.');
  }
}
