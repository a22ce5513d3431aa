import { thumbHashToDataURL } from 'thumbhash';

const made = new Map<string, string>();
/** The size of the cache: about a screen of photos and those around it, some kilobytes each. */
const KEPT = 300;

/** A memory's ThumbHash as a `data:` URL of a tiny picture, shown while the photo loads. */
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
