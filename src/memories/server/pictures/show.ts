import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { notFound } from '../../../base/refusal.ts';
import { StreamAnswer } from '../../../base/server/answer.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { problemOf } from '../../../base/server/errors.ts';
import { type ByteRange, FileMissing } from '../../../base/server/files/files.ts';
import { contentDisposition } from '../../file-name.ts';
import type { Size } from '../../rules.ts';
import { typeOfRow } from '../memory.ts';
import { storedName } from '../names.ts';
import type { MemoryRow } from '../store.ts';
import { namesTag, readRange } from './range.ts';
import type { Thumbnails } from './thumbnails.ts';
import type { Workshop } from './workshop.ts';

/** What pictures are shown from. */
export interface Shop {
  readonly deps: Pick<Deps, 'files' | 'log'>;
  readonly workshop: Workshop;
  readonly thumbnails: Thumbnails;
}

/**
 * Sends a photograph, or a part of it: kept by the browser for ever, since what lies under an address never changes;
 * of the type that it was found to be, and as nothing else (contract 3, Memories).
 * @throws Refusal 404 where the store has lost it
 */
export async function showPicture(
  shop: Shop,
  request: FastifyRequest,
  row: MemoryRow,
  size: Size,
): Promise<StreamAnswer> {
  const etag = `"${row.sha256.slice(0, 32)}.${size}"`;
  const always = {
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    etag,
  };
  if (namesTag(request.headers['if-none-match'], etag)) return new StreamAnswer(null, 304, always);
  try {
    const held = size === 'thumbnail' ? await heldThumbnail(shop, row) : null;
    const bytes = held?.length ?? (await sizeOf(shop, row, size));
    const whole = {
      ...always,
      'content-type': size === 'original' ? typeOfRow(row) : 'image/webp',
      'content-length': String(bytes),
      'accept-ranges': 'bytes',
      ...(size === 'original' ? { 'content-disposition': contentDisposition('inline', row.originalFileName) } : {}),
    };
    // Of a HEAD only the headers are sent, with the length that a GET would have.
    if (request.method === 'HEAD') return new StreamAnswer(Readable.from([]), 200, whole);
    const range = askedRange(request, etag, bytes);
    if (range === 'unsatisfiable') return unsatisfiable(request, bytes);
    const part = held
      ? held.subarray(range?.start ?? 0, (range?.end ?? bytes) + 1)
      : await shop.deps.files.read(storedName(row.coupleId, row.fileName, size), range ?? undefined);
    return range === null ? new StreamAnswer(part, 200, whole) : partOf(part, range, bytes, whole);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    shop.deps.log.error({ memory: row.id, size }, 'the photo store has lost a photograph');
    throw notFound('Photograph');
  }
}

/** A thumbnail's bytes; null where it is too large to be held in memory. */
async function heldThumbnail(shop: Shop, row: MemoryRow): Promise<Buffer | null> {
  const name = storedName(row.coupleId, row.fileName, 'thumbnail');
  return shop.thumbnails.get(name) ?? shop.thumbnails.read(name, await sizeOf(shop, row, 'thumbnail'));
}

/** Its size in bytes; a preview or thumbnail that is not there is made now. */
async function sizeOf({ deps, workshop }: Shop, row: MemoryRow, size: Size): Promise<number> {
  if (size === 'original') return row.fileSizeBytes;
  const name = storedName(row.coupleId, row.fileName, size);
  const found = await deps.files.size(name);
  if (found !== null) return found;
  await workshop.make(row, size);
  const made = await deps.files.size(name);
  if (made === null) throw new FileMissing();
  return made;
}

/** With `If-Range` a part is sent only of the very thing that the asker has a part of. */
function askedRange({ headers }: FastifyRequest, etag: string, bytes: number): ReturnType<typeof readRange> {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? readRange(headers.range, bytes) : null;
}

function partOf(
  stream: Readable | Buffer,
  { start, end }: ByteRange,
  bytes: number,
  whole: Record<string, string>,
): StreamAnswer {
  return new StreamAnswer(stream, 206, {
    ...whole,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes}`,
  });
}

function unsatisfiable({ id }: FastifyRequest, bytes: number): StreamAnswer {
  const problem = JSON.stringify(problemOf(416, 'This part of the photograph does not exist.', id));
  return new StreamAnswer(Readable.from([Buffer.from(problem)]), 416, {
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-range': `bytes */${bytes}`,
  });
}
