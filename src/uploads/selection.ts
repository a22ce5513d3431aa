import { countText, hasForbiddenCharacter, plural } from '../base/text.ts';
import { ALLOWED_EXTENSIONS, ALLOWED_TYPES, memoryLimits } from '../memories/rules.ts';

/** What is known of a file before it is read: as the browser's `File` has it. */
export interface Candidate {
  readonly name: string;
  /** The media type the device believes it to be; some give none. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

const WRONG_TYPE = 'Invalid file type. Please use JPEG, PNG, GIF, or WebP.';
const TOO_LARGE = 'File too large. Maximum size is 100MB.';
const TOO_MANY = 'You can only upload up to 100 images at once. Please select fewer files.';

/** What is asked of whoever would save without a photograph or without a date (spec 5, Upload files). */
export const NOT_READY = 'Please select at least one photo and choose which date these memories are from.';

/**
 * Parts chosen files into those that are taken and what is wrong with the others: '{file name}: {text}', one to a line
 * (spec 5; contract 5). With those `held` already they may be 100; of more, none is taken.
 */
export function checkFiles<F extends Candidate>(
  chosen: readonly F[],
  held: number,
): { readonly taken: readonly F[]; readonly error: string | null } {
  return held + chosen.length > memoryLimits.files ? { taken: [], error: TOO_MANY } : checkEachFile(chosen);
}

/** The same for files that this device holds for us, of which those beyond the hundred stay kept (`leftText`). */
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
  // Some phones hand over a photograph without its type; what it is, its bytes will say.
  const known = type === '' ? endsWithOneOf(name, ALLOWED_EXTENSIONS) : isOneOf(type.toLowerCase(), ALLOWED_TYPES);
  return [...(known ? [] : [WRONG_TYPE]), ...(size > memoryLimits.fileSizeBytes ? [TOO_LARGE] : [])];
}

const isOneOf = (text: string, all: readonly string[]) => all.includes(text);
const endsWithOneOf = (name: string, all: readonly string[]) => all.some((end) => name.toLowerCase().endsWith(end));

/** What is said of photographs for which there is no more room in this upload. */
export function leftText(left: number): string {
  const others = left === 1 ? 'The other photo stays' : `The other ${left} photos stay`;
  return `Up to ${memoryLimits.files} photos fit into one upload. ${others} on this device for the next.`;
}

/** What is said of photographs that were added while others were being sent. */
export function laterText(count: number): string {
  return `${plural(count, 'photo')} added meanwhile. ${count === 1 ? 'It waits' : 'They wait'} for the next upload.`;
}

/** What is wrong with a caption, or nothing. */
export function captionFault(caption: string): string | undefined {
  if (countText(caption) > memoryLimits.caption) return `Caption cannot exceed ${memoryLimits.caption} characters`;
  return hasForbiddenCharacter(caption) ? 'Caption contains a character we can’t save' : undefined;
}

/** '48/500' */
export function captionCounter(caption: string): string {
  return `${countText(caption)}/${memoryLimits.caption}`;
}

/** '5 photos selected' */
export function selectedText(count: number): string {
  return `${plural(count, 'photo')} selected`;
}

/** 'Save 5 Memories', 'Save 1 Memory' */
export function saveText(count: number): string {
  return `Save ${plural(count, 'Memory', 'Memories')}`;
}

/** 'Our 2 beautiful moments have been saved forever' */
export function savedText(count: number): string {
  return `Our ${plural(count, 'beautiful moment')} ${count === 1 ? 'has' : 'have'} been saved forever`;
}

/** What an upload that has ended tells of those that failed (spec 8). */
export function failedText(failed: number, uploaded: number): string {
  return (
    `${failed} file(s) failed to upload. You can retry the failed uploads or continue with the ` +
    `${uploaded} successfully uploaded memories.`
  );
}
