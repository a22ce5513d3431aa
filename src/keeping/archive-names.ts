/** The longest name that we give a file or folder of an archive, in code points: Windows takes 260 for a whole path. */
const MAX_NAME_LENGTH = 80;

/** Names that Windows keeps for devices, with whatever ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A name that every system can write: without the signs that some refuse, without dots or spaces at its ends, not too
 * long, and no device's.
 * @param fallback where nothing is left
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

/** Gives names within one folder, each once: also where case is not told apart. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** The name itself, or with ' (2)' and so on before its ending. */
  take(name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    for (let copy = 1; ; copy += 1) {
      const candidate = copy === 1 ? name : `${stem} (${copy})${ending}`;
      const key = candidate.normalize('NFKC').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}
