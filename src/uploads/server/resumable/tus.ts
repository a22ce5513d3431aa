import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { type FieldError, notFound, Refusal, type RefusalStatus } from '../../../base/refusal.ts';
import { isId } from '../../../base/schema.ts';
import { StreamAnswer } from '../../../base/server/answer.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { keyOf, type Routes, type Session } from '../../../base/server/serve.ts';
import { textOrNull } from '../../../base/text.ts';
import { findDateRow } from '../../../dates/server/store.ts';
import { cleanFileName } from '../../../memories/file-name.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import { wrongType } from '../../../memories/server/pictures/picture.ts';
import type { Workshop } from '../../../memories/server/pictures/workshop.ts';
import type { uploadCalls } from '../../contract.ts';
import { captionFault } from '../../selection.ts';
import { tooLarge } from '../form.ts';
import { cancelled } from '../save-photo.ts';
import { notTheNext } from './parts.ts';
import { readMetadata, type TusMetadata } from './tus-metadata.ts';
import { expired, isExpired } from './tus-store.ts';
import { findUpload, findUploadByKey, type UploadRow } from './upload-store.ts';

const PATH = '/api/Memories/tus';

type TusRoutes = Routes<typeof uploadCalls>;
type TusName = Extract<keyof TusRoutes, `${string} ${typeof PATH}${string}`>;

/** Who asks for which upload. */
interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Session;
  readonly params: { readonly id?: string };
}

/**
 * Photographs in pieces, by the protocol tus 1.0.0 (issue 4): `@tus/server` speaks it, over a store and a lock of ours.
 * It is handed a request of the web's kind and answers one, so that our headers, our refusals and our log stand around
 * it as around every call.
 */
export function tusRoutes(deps: Deps, workshop: Workshop): Pick<TusRoutes, TusName> {
  const find = async ({ reply, session, params: { id = '' } }: Asked) => {
    reply.header('tus-resumable', '1.0.0');
    const row = await findUpload(deps.db.read, session.coupleId, id);
    if (!row) throw notFound('Upload');
    if (isExpired(row, deps.now())) throw expired();
  };
  const handle = (asked: Asked) => speak(deps, workshop, asked, asked.params.id ?? null);
  const route = { find, handle };
  return {
    'OPTIONS /api/Memories/tus': (asked) => speak(deps, workshop, asked, null),
    'POST /api/Memories/tus': {
      find: async ({ request, reply, session }) => {
        reply.header('tus-resumable', '1.0.0');
        const dateId = textOrNull(metadataOf(request).get('PlannedDateId'));
        if (dateId !== null) await findDate(deps, session, dateId);
      },
      handle: async (asked) => {
        const begun = await begin(deps, asked);
        return speak(deps, workshop, asked, begun.id, begun);
      },
    },
    'HEAD /api/Memories/tus/{id}': route,
    'PATCH /api/Memories/tus/{id}': route,
    'DELETE /api/Memories/tus/{id}': route,
  };
}

const metadataOf = (request: FastifyRequest): TusMetadata =>
  readMetadata([request.headers['upload-metadata'] ?? ''].flat().join(','));

async function findDate({ db }: Deps, { coupleId }: Session, id: string) {
  const date = isId(id) ? await findDateRow(db.read, coupleId, id) : null;
  if (!date) throw notFound('Planned date');
  return date;
}

/**
 * The upload that a request begins; or the one that was begun with the same key, which then goes on.
 * @throws Refusal 413, 415, 400, 409 as a photograph sent whole; 422 where the key was used for another
 */
async function begin(deps: Deps, { request, session }: Asked): Promise<UploadRow> {
  const key = keyOf(request);
  const metadata = metadataOf(request);
  const sizeBytes = Number(request.headers['upload-length']);
  if (sizeBytes > memoryLimits.fileSizeBytes) throw tooLarge();
  if (sizeBytes === 0) throw wrongType();
  const { dateId, caption } = assertMetadata(metadata);
  const date = await findDate(deps, session, dateId);
  const begun = key === null ? null : await findUploadByKey(deps.db.read, session.coupleId, key);
  if (begun && !isExpired(begun, deps.now())) {
    if (begun.sizeBytes === sizeBytes && begun.dateId === dateId && begun.caption === caption) return begun;
    throw new Refusal(422, 'This Idempotency-Key was used for another request. Nothing was saved.');
  }
  if (date.status === 'Cancelled') throw cancelled();
  return {
    ...{ coupleId: session.coupleId, id: uuidv7(), userId: session.userId, key, dateId, caption, sizeBytes },
    deviceName: cleanFileName(metadata.get('filename') ?? '', ''),
    ...{ receivedBytes: 0, createdAt: deps.now(), memoryId: null, refusal: null },
    ...{ lockedBy: null, lockedUntil: 0, lockWanted: 0 },
  };
}

function assertMetadata(metadata: TusMetadata): { dateId: string; caption: string | null } {
  const errors: FieldError[] = [...metadata]
    .filter(([, value]) => value === null)
    .map(([field]) => ({ field, message: `${field} is not UTF-8` }));
  const dateId = textOrNull(metadata.get('PlannedDateId'));
  if (dateId === null) errors.push({ field: 'PlannedDateId', message: 'Please choose a date' });
  const fault = captionFault(metadata.get('Caption') ?? '');
  if (fault !== undefined) errors.push({ field: 'Caption', message: fault });
  if (dateId === null || errors.length > 0) {
    throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
  }
  return { dateId, caption: textOrNull(metadata.get('Caption')) };
}

/** Lets the library answer; what it refuses is told as every refusal here is. */
async function speak(
  deps: Deps,
  workshop: Workshop,
  { request, reply, session }: Asked,
  id: string | null,
  begun: UploadRow | null = null,
): Promise<StreamAnswer> {
  // 23 MB that only those pay who send large photographs.
  const [{ Server }, { CoupleUploads }, { uploadLocker }] = await Promise.all([
    import('@tus/server'),
    import('./tus-store.ts'),
    import('./upload-lock.ts'),
  ]);
  let failure: unknown;
  const tus = new Server({
    path: PATH,
    relativeLocation: true,
    datastore: new CoupleUploads(deps, workshop, session, begun),
    locker: uploadLocker(deps, session.coupleId),
    lockDrainTimeout: 200,
    maxSize: memoryLimits.fileSizeBytes,
    namingFunction: () => id ?? '',
    getFileIdFromRequest: () => id ?? undefined,
    onResponseError: (_, error) => {
      failure = error;
      return undefined;
    },
  });
  const response = await tus.handleWeb(toWeb(request));
  if (failure !== undefined) throw toRefusal(failure);
  if (!response.ok) {
    if (response.status === 412) reply.header('tus-version', '1.0.0');
    throw new Refusal(response.status as RefusalStatus, (await response.text()).trim());
  }
  return new StreamAnswer(null, response.status, {
    ...headersOf(response),
    ...(id === null ? {} : await whatBecame(deps, session, id)),
    'cache-control': 'no-store',
  });
}

/** The protocol's own headers of a request, and its body, which the connection outlives whoever stops reading it. */
function toWeb(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(tus|upload)-|^content-(type|length)$/.test(name)) headers.set(name, [value ?? ''].flat().join(','));
  }
  const { method } = request;
  const body = ReadableStream.from(request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
  // The library looks at the last part of the address alone, and is told what that is.
  const url = `http://localhost${PATH}`;
  return new Request(url, method === 'PATCH' ? { method, headers, body, duplex: 'half' } : { method, headers });
}

/** What the protocol says in its answers: nothing about other origins, which the library would let in. */
function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => /^(tus|upload)-|^location$/.test(name)));
}

/** Where the memory is that an upload has become. */
async function whatBecame({ db }: Deps, { coupleId }: Session, id: string): Promise<Record<string, string>> {
  const { memoryId = null } = (await findUpload(db.read, coupleId, id)) ?? {};
  return memoryId === null ? {} : { 'content-location': `/api/Memories/${memoryId}` };
}

/** A refusal of the library, in our words and by HTTP's numbers; anything else is what it was. */
function toRefusal(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('status_code' in error)) return error;
  switch (error.status_code) {
    case 409:
      return notTheNext();
    case 410:
      return expired();
    case 413:
      return tooLarge();
    default:
      return new Refusal(400, 'The upload is not well formed, or broke off. What came of it is kept.');
  }
}
