import { cannotExceed, forbiddenCharacter } from '../base/form.ts';
import { countText, hasForbiddenCharacter, plural } from '../base/text.ts';
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

/** The message for saving without a photo or a date. */
export const NOT_READY = 'Please select at least one photo and choose which date these memories are from.';

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
  const known = type === '' ? endsWithOneOf(name, ALLOWED_EXTENSIONS) : isOneOf(type.toLowerCase(), ALLOWED_TYPES);
  return [...(known ? [] : [INVALID_TYPE]), ...(size > memoryLimits.fileSizeBytes ? [FILE_TOO_LARGE] : [])];
}

const isOneOf = (text: string, all: readonly string[]) => all.includes(text);
const endsWithOneOf = (name: string, all: readonly string[]) => all.some((end) => name.toLowerCase().endsWith(end));

/** The message for photos that do not fit into this upload. */
export function leftText(left: number): string {
  const others = left === 1 ? 'The other photo stays' : `The other ${left} photos stay`;
  return `Up to ${memoryLimits.files} photos fit into one upload. ${others} on this device for the next one.`;
}

/** How many photos another app has shared, and how many of them the device has stored. */
export interface Share {
  readonly stored: number;
  readonly of: number;
}

/** Reads a share from the page's address. Null if it does not say how many, or something else than a count. */
export function readShare(stored: string | null, of: string | null): Share | null {
  const isCount = (text: string | null) => /^\d{1,4}$/.test(text ?? '');
  const share = { stored: Number(stored), of: Number(of) };
  return isCount(stored) && isCount(of) && share.stored <= share.of ? share : null;
}

/**
 * The message after a share of which not everything arrived, or null.
 * @param arrived how many shared photos the page has found on the device
 */
export function shareText(arrived: number, share: Share | null): string | null {
  if (arrived === 0) return 'The shared photographs did not arrive. Please choose them here.';
  const stored = Math.min(arrived, share?.stored ?? arrived);
  if (share === null || stored >= share.of) return null;
  const others = share.of - stored === 1 ? 'the other one' : 'the others';
  return `Only ${stored} of ${share.of} shared photographs arrived. Please choose ${others} here.`;
}

/** The message for photos taken with the app's camera that this device could not store. */
export function unstoredPhotosText(count: number): string {
  return `This device couldn’t store ${plural(count, 'photo')} taken here. Please keep this page open until ${count === 1 ? 'it is' : 'they are'} saved.`;
}

/** What leaving the upload page would lose. */
export function onlyHereText(count: number): string {
  return `${plural(count, 'photo')} taken here ${count === 1 ? 'is' : 'are'} only on this page, and would be lost.`;
}

/** The question before photos are deleted that were taken with the app's camera. */
export function deletionText(count: number): string {
  const [have, them] = count === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${plural(count, 'photo')} taken here ${have} not been sent yet. Are you sure you want to delete ${them}?`;
}

/** Why it is asked. */
export function nowhereElseText(count: number): string {
  return `${count === 1 ? 'It exists' : 'They exist'} nowhere else, and would be lost.`;
}

/** The message for photos that were added during a run. */
export function laterText(count: number): string {
  return `${plural(count, 'photo')} added during the upload. ${count === 1 ? 'It waits' : 'They wait'} for the next one.`;
}

/** The error of a caption, or undefined. */
export function captionFault(caption: string): string | undefined {
  if (countText(caption) > memoryLimits.caption) return cannotExceed('Caption', memoryLimits.caption).message;
  return hasForbiddenCharacter(caption) ? forbiddenCharacter('Caption') : undefined;
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

/** The message for failed photos after a run. */
export function failedText(failed: number, uploaded: number): string {
  return (
    `${failed} file(s) failed to upload. You can retry the failed uploads or continue with the ` +
    `${uploaded} successfully uploaded memories.`
  );
}
