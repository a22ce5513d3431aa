import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Below this a packet is a packet. */
const WORTH_BYTES = 1_024;
/** Brotli's quality for what is written once for one answer: far smaller than gzip's, and as quick. */
const QUALITY = 4;

type Encoding = 'br' | 'gzip';

/** The encoding that a browser takes and we prefer; null where neither is named, or it is refused with `q=0`. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const named = (accepted ?? '').split(',').map((part) => part.trim().toLowerCase());
  const takes = (encoding: Encoding) =>
    named.some((part) => new RegExp(`^${encoding}(\\s*;\\s*q=(?!0(\\.0*)?$).+)?$`).test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}

/** Text as JSON is, made small for the way to a phone; the bytes themselves where that is not worth it. */
export async function compress(
  bytes: Buffer,
  accepted: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly encoding: Encoding | null }> {
  const encoding = bytes.length < WORTH_BYTES ? null : chooseEncoding(accepted);
  if (encoding === null) return { bytes, encoding };
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const small = encoding === 'br' ? await brotli(bytes, { params }) : await promisify(gzip)(bytes);
  return { bytes: small, encoding };
}

const brotli = promisify(brotliCompress);
