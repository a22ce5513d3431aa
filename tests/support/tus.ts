import type { CallName } from '../../src/base/call.ts';
import type { Caller, Result } from './caller.ts';

/** The header that tus requires in every request. */
export const TUS = { 'tus-resumable': '1.0.0' };

export interface UploadOptions {
  readonly dateId?: string;
  readonly caption?: string;
  readonly name?: string;
  readonly key?: string;
}

/** Encodes an Upload-Metadata header. */
export function metadata(values: Readonly<Record<string, string | Uint8Array>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value as string).toString('base64')}`)
    .join(',');
}

/** Creates an upload of `size` bytes. */
export function createUpload(
  who: Caller,
  size: number,
  { dateId, caption, name = 'us.jpg', key }: UploadOptions,
): Promise<Result<null>> {
  const headers = {
    ...TUS,
    'upload-length': `${size}`,
    'upload-metadata': metadata({
      filename: name,
      ...(dateId === undefined ? {} : { PlannedDateId: dateId }),
      ...(caption === undefined ? {} : { Caption: caption }),
    }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  return who.call('POST /api/Memories/tus', {}, { headers });
}

/** The id in the response to a creation. Throws if there is none. */
export function uploadIdOf({ headers, status, body }: Result<unknown>): string {
  const id = headers.get('location')?.split('/').at(-1);
  if (id === undefined) throw new Error(`Upload not created: ${status} ${JSON.stringify(body)}`);
  return id;
}

/** Sends bytes at an offset. */
export function sendPart(who: Caller, id: string, offset: number, bytes: Uint8Array): Promise<Result<unknown>> {
  return who.request(`PATCH /api/Memories/tus/${id}` as CallName, {}, partRequest(offset, bytes));
}

/** The headers and the body of a PATCH request. */
export function partRequest(offset: number, bytes: Uint8Array) {
  return {
    headers: { ...TUS, 'upload-offset': `${offset}` },
    raw: { type: 'application/offset+octet-stream', body: new Uint8Array(bytes) },
  };
}

/** Reads the status, the offset in bytes, and the id of the memory once the upload is complete. */
export async function readUploadStatus(who: Caller, id: string) {
  const { status, headers } = await who.call('HEAD /api/Memories/tus/{id}', { params: { id } }, { headers: TUS });
  const offset = headers.get('upload-offset');
  return {
    status,
    offset: offset === null ? null : Number(offset),
    memory: headers.get('content-location')?.replace('/api/Memories/', '') ?? null,
  };
}

/** Uploads a photograph in `count` parts. Returns the last response. */
export async function sendInParts(
  who: Caller,
  photo: Buffer,
  options: UploadOptions,
  count = 3,
): Promise<Result<unknown>> {
  const id = uploadIdOf(await createUpload(who, photo.length, options));
  let last: Result<unknown> | null = null;
  const size = Math.ceil(photo.length / count);
  for (let at = 0; at < photo.length; at += size) {
    last = await sendPart(who, id, at, photo.subarray(at, at + size));
    if (last.status >= 300) return last;
  }
  if (last === null) throw new Error('The photograph is empty');
  return last;
}
