import type { CallName } from '../../src/base/call.ts';
import type { Caller, Result } from './client.ts';

/** What tus wants of every request. */
export const TUS = { 'tus-resumable': '1.0.0' };

export interface UploadOptions {
  readonly dateId?: string;
  readonly caption?: string;
  readonly name?: string;
  readonly key?: string;
}

/** An Upload-Metadata header. */
export function metadata(values: Readonly<Record<string, string | Uint8Array>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value as string).toString('base64')}`)
    .join(',');
}

/** Begins a photograph of so many bytes. */
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

/** The id of an upload that was begun. */
export function uploadIdOf({ headers, status, body }: Result<unknown>): string {
  const id = headers.get('location')?.split('/').at(-1);
  if (id === undefined) throw new Error(`Not begun: ${status} ${JSON.stringify(body)}`);
  return id;
}

/** Sends the bytes from an offset on. */
export function sendPart(who: Caller, id: string, offset: number, bytes: Uint8Array): Promise<Result<unknown>> {
  return who.request(`PATCH /api/Memories/tus/${id}` as CallName, {}, partRequest(offset, bytes));
}

/** What a piece is sent with. */
export function partRequest(offset: number, bytes: Uint8Array) {
  return {
    headers: { ...TUS, 'upload-offset': `${offset}` },
    raw: { type: 'application/offset+octet-stream', body: new Uint8Array(bytes) },
  };
}

/** How much of it is there, in bytes, and which memory it became. */
export async function readUploadStatus(who: Caller, id: string) {
  const { status, headers } = await who.call('HEAD /api/Memories/tus/{id}', { params: { id } }, { headers: TUS });
  const offset = headers.get('upload-offset');
  return {
    status,
    offset: offset === null ? null : Number(offset),
    memory: headers.get('content-location')?.replace('/api/Memories/', '') ?? null,
  };
}

/** Sends a photograph in so many pieces; answers what the last was answered. */
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
  if (last === null) throw new Error('A photograph without bytes');
  return last;
}
