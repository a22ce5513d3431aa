import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../../base/loopback.ts';
import { notFound } from '../../../base/refusal.ts';
import { StreamAnswer } from '../../../base/server/calls/answer.ts';
import { hasTagOfIfNoneMatch } from '../../../base/server/calls/if-none-match.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { type ByteRange, FileMissing } from '../../../base/server/files/files.ts';
import { problemOf } from '../../../base/server/http/send-problem.ts';
import { contentDisposition } from '../../content-disposition.ts';
import type { Size } from '../../rules.ts';
import type { MemoryRow } from '../store.ts';
import { storedName } from '../stored-names.ts';
import { typeOfRow } from '../to-memory.ts';
import type { PreviewMaker } from './preview-maker.ts';
import { readRange } from './read-range.ts';

export interface PictureDeps {
  readonly files: Deps['files'];
  readonly log: Deps['log'];
  readonly previewMaker: PreviewMaker;
}

/**
 * Sends one size of a photo, or a range of it. The content type is the one the photo was inspected
 * to have. The bytes behind an address never change. So the browser may show them again without asking, for the session
 * that got them: after signing out it has no cookie, or another one. It must also clear its cache when it learns that the
 * session has ended; otherwise it asks each time.
 * @throws Refusal 404 if the store has lost it
 */
export async function sendPicture(
  deps: PictureDeps,
  request: FastifyRequest,
  row: MemoryRow,
  size: Size,
): Promise<StreamAnswer> {
  const etag = `"${row.sha256.slice(0, 32)}.${size}"`;
  const cacheHeaders = {
    'cache-control': canClearCache(request) ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    vary: 'Cookie',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    etag,
  };
  if (hasTagOfIfNoneMatch(request.headers['if-none-match'], etag)) return new StreamAnswer(null, 304, cacheHeaders);
  try {
    const bytes = await sizeOf(deps, row, size);
    const headers = {
      ...cacheHeaders,
      'content-type': size === 'original' ? typeOfRow(row) : 'image/webp',
      'content-length': String(bytes),
      'accept-ranges': 'bytes',
      ...(size === 'original' ? { 'content-disposition': contentDisposition('inline', row.originalFileName) } : {}),
    };
    // A HEAD answers with the length that a GET would have.
    if (request.method === 'HEAD') return new StreamAnswer(Readable.from([]), 200, headers);
    const range = rangeOf(request, etag, bytes);
    if (range === 'unsatisfiable') return rangeNotSatisfiable(request, bytes);
    const body = await deps.files.read(storedName(row.coupleId, row.fileName, size), range ?? undefined);
    return range === null ? new StreamAnswer(body, 200, headers) : partialContent(body, range, bytes, headers);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    deps.log.error({ memory: row.id, size }, 'the photo store has lost a photograph');
    throw notFound('Photograph');
  }
}

/**
 * Whether the browser obeys `Clear-Site-Data`: over HTTPS, and from its own machine. Only there it sends `Sec-Fetch-Site`,
 * also through a proxy that doesn't say that it uses HTTPS.
 */
function canClearCache({ headers, protocol, hostname }: FastifyRequest): boolean {
  return protocol === 'https' || 'sec-fetch-site' in headers || isLoopback(hostname);
}

/** The size in bytes. A missing preview or thumbnail is made first. */
async function sizeOf({ files, previewMaker }: PictureDeps, row: MemoryRow, size: Size): Promise<number> {
  if (size === 'original') return row.fileSizeBytes;
  const name = storedName(row.coupleId, row.fileName, size);
  const found = await files.size(name);
  if (found !== null) return found;
  await previewMaker.make(row, size);
  const made = await files.size(name);
  if (made === null) throw new FileMissing();
  return made;
}

/** The requested range. With `If-Range` it counts only if the client's ETag still matches. */
function rangeOf({ headers }: FastifyRequest, etag: string, bytes: number): ReturnType<typeof readRange> {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? readRange(headers.range, bytes) : null;
}

function partialContent(
  body: Readable,
  { start, end }: ByteRange,
  bytes: number,
  headers: Record<string, string>,
): StreamAnswer {
  return new StreamAnswer(body, 206, {
    ...headers,
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${bytes}`,
  });
}

function rangeNotSatisfiable({ id }: FastifyRequest, bytes: number): StreamAnswer {
  const problem = JSON.stringify(problemOf(416, 'This part of the photograph does not exist.', id));
  return new StreamAnswer(Readable.from([Buffer.from(problem)]), 416, {
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-range': `bytes */${bytes}`,
  });
}
