import { thumbHashToDataURL } from 'thumbhash';

const made = new Map<string, string>();
/** About a screen's worth and the ones around it; each is some kilobytes of text. */
const KEPT = 300;

/** A memory's ThumbHash as a tiny picture (`data:`), shown until the photograph is there. */
export function blurOf(thumbHash: string): string | undefined {
  const known = made.get(thumbHash);
  if (known !== undefined) return known;
  try {
    const url = thumbHashToDataURL(bytesOf(thumbHash));
    if (made.size >= KEPT) made.clear();
    made.set(thumbHash, url);
    return url;
  } catch {
    return undefined;
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
