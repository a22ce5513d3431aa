import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** A smaller body fits in one packet either way. */
const MIN_BYTES = 1_024;
/** Brotli's quality for dynamic replies: as fast as gzip, with a much smaller result. */
const QUALITY = 4;

export type Encoding = 'br' | 'gzip';

/**
 * Chooses a reply's encoding by `Accept-Encoding` (RFC 9110, 12.5.3); null for none. Brotli wins if the client has no
 * preference.
 */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted ?? '' } });
  const encoding = negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
}

/** A body and its encoding; null if it isn't compressed. */
export interface Encoded {
  readonly bytes: Buffer;
  readonly encoding: Encoding | null;
}

/** Compresses a text body. Small bodies are returned unchanged. */
export async function compress(bytes: Buffer, encoding: Encoding | null): Promise<Encoded> {
  if (encoding === null || bytes.length < MIN_BYTES) return { bytes, encoding: null };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return { bytes: encoding === 'br' ? await brotli(bytes, { params }) : await zip(bytes), encoding };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
