import { ALLOWED_EXTENSIONS, ALLOWED_TYPES, FILE_TOO_LARGE, INVALID_TYPE, memoryLimits } from '../memories/rules.ts';

/** What the browser's `File` tells about a file before it is read. */
export interface Candidate {
  readonly name: string;
  /** The media type that the device reports; some report none. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

const TOO_MANY = 'You can only upload up to 100 images at once. Please select fewer files.';

/**
 * Splits selected files into accepted ones and the errors of the others: '{file name}: {text}', one per line (uploads.choosing.7). If there would be more than 100 with those already `held`, it accepts none.
 */
export function checkFiles<F extends Candidate>(
  chosen: readonly F[],
  held: number,
): { readonly taken: readonly F[]; readonly error: string | null } {
  return held + chosen.length > memoryLimits.files ? { taken: [], error: TOO_MANY } : checkEachFile(chosen);
}

/** The same without the limit, for files whose surplus stays on this device (see `leftText`). */
export function checkEachFile<F extends Candidate>(
  chosen: readonly F[],
): { readonly taken: readonly F[]; readonly error: string | null } {
  const wrong = chosen.flatMap((file) => faultsOf(file).map((fault) => `${file.name}: ${fault}`));
  return {
    taken: chosen.filter((file) => faultsOf(file).length === 0),
    error: wrong.length === 0 ? null : wrong.join('\n'),
  };
}

function faultsOf({ name, type, size }: Candidate): string[] {
  // Some phones report no type. The server checks the bytes.
  const isKnown = type === '' ? endsWithOneOf(name, ALLOWED_EXTENSIONS) : isOneOf(type.toLowerCase(), ALLOWED_TYPES);
  return [...(isKnown ? [] : [INVALID_TYPE]), ...(size > memoryLimits.fileSizeBytes ? [FILE_TOO_LARGE] : [])];
}

const isOneOf = (text: string, all: readonly string[]) => all.includes(text);
const endsWithOneOf = (name: string, all: readonly string[]) => all.some((end) => name.toLowerCase().endsWith(end));
