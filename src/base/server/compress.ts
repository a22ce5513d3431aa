import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A smaller body fits in one packet either way. */
const MIN_BYTES = 1_024;
/** Brotli's quality for dynamic replies: as fast as gzip, with a much smaller result. */
const QUALITY = 4;

export type Encoding = 'br' | 'gzip';

/** Matches an encoding that is named and not refused with `q=0`. */
const ACCEPTED: Readonly<Record<Encoding, RegExp>> = {
  br: /^br(\s*;\s*q=(?!0(\.0*)?$).+)?$/,
  gzip: /^gzip(\s*;\s*q=(?!0(\.0*)?$).+)?$/,
};

/** Chooses a reply's encoding from `Accept-Encoding`: Brotli, else gzip; null if the header names neither. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const named = (accepted ?? '').split(',').map((part) => part.trim().toLowerCase());
  const accepts = (encoding: Encoding) => named.some((part) => ACCEPTED[encoding].test(part));
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : null;
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
