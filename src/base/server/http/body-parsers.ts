import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** The content type of a part of a file in a resumable upload (tus). */
export const UPLOAD_PART_TYPE = 'application/offset+octet-stream';
/** The largest JSON body, in bytes. */
export const JSON_LIMIT = 1_048_576;

/** Accepts JSON in UTF-8 and forms. Other types get 415, invalid UTF-8 gets 400. */
export function addBodyParsers(fastify: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  fastify.removeAllContentTypeParsers();
  // A form isn't read here: its route streams it to the disk, and `serve` rejects it on other routes.
  fastify.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  // The same applies to a part of a file.
  fastify.addContentTypeParser(UPLOAD_PART_TYPE, (_request, _body, done) => done(null));
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const charset = /;\s*charset="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (encoding !== 'identity' || !/^utf-?8$/i.test(charset.trim())) {
      done(new Refusal(415, 'JSON must be UTF-8 and uncompressed.'));
      return;
    }
    try {
      const text = utf8.decode(body as Buffer).replace(/^\ufeff/, '');
      done(null, text.trim() === '' ? undefined : JSON.parse(text));
    } catch {
      done(new Refusal(400, 'The request is not valid JSON.'));
    }
  });
}
