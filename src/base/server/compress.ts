import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Below this a packet is a packet. */
const WORTH_BYTES = 1_024;
/** Brotli's quality for what is written once for one answer: far smaller than gzip's, and as quick. */
const QUALITY = 4;

export type Encoding = 'br' | 'gzip';

/** How a browser says that it takes one: named, and not with `q=0`. */
const TAKEN: Readonly<Record<Encoding, RegExp>> = {
  br: /^br(\s*;\s*q=(?!0(\.0*)?$).+)?$/,
  gzip: /^gzip(\s*;\s*q=(?!0(\.0*)?$).+)?$/,
};

/** The encoding that a browser takes and we prefer; null where neither is named, or it is refused with `q=0`. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const named = (accepted ?? '').split(',').map((part) => part.trim().toLowerCase());
  const takes = (encoding: Encoding) => named.some((part) => TAKEN[encoding].test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}

/** Bytes on their way, and how they are encoded; null for as they are. */
export interface Encoded {
  readonly bytes: Buffer;
  readonly encoding: Encoding | null;
}

/** Text as JSON is, made small for the way to a phone; the bytes themselves where that is not worth it. */
export async function compress(bytes: Buffer, encoding: Encoding | null): Promise<Encoded> {
  if (encoding === null || bytes.length < WORTH_BYTES) return { bytes, encoding: null };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return { bytes: encoding === 'br' ? await brotli(bytes, { params }) : await zip(bytes), encoding };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
