/** Longest file or folder name in an archive, in code points. Windows allows 260 for a whole path. */
const MAX_NAME_LENGTH = 80;

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Turns a name into one that every operating system accepts: no reserved characters, no dots or spaces at either end,
 * not too long, and not a device name.
 * @param fallback the result if nothing is left
 */
export function portableName(raw: string, fallback: string): string {
  const plain = raw
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replace(/\s+/g, ' ');
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(plain)?.[0] ?? '';
  const stem = Array.from(plain.slice(0, plain.length - ending.length))
    .slice(0, MAX_NAME_LENGTH - ending.length)
    .join('')
    .trimEnd();
  const name = (stem + ending).replace(/^[\s.]+|[\s.]+$/g, '');
  if (name === '') return fallback;
  return DEVICE.test(name) ? `_${name}` : name;
}

/** Gives out unique names within one folder, also on a file system that ignores case. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The number of the last copy of each name, from which the next one goes on. */
  readonly #copies = new Map<string, number>();

  /** Returns the name, or the name with ' (2)', ' (3)' … before its extension. */
  take(name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    const ofName = keyOf(name);
    for (let copy = (this.#copies.get(ofName) ?? 0) + 1; ; copy += 1) {
      const candidate = copy === 1 ? name : `${stem} (${copy})${ending}`;
      const key = keyOf(candidate);
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      this.#copies.set(ofName, copy);
      return candidate;
    }
  }
}

/** What two names have in common that some file system takes for the same one. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
