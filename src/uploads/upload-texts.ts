import { plural } from '../base/number-texts.ts';
import { memoryLimits } from '../memories/rules.ts';

/** The message for saving without a photo or a date. */
export const NOT_READY = 'Please select at least one photo and choose which date these memories are from.';

/** The message for photos that do not fit into this upload. */
export function leftText(left: number): string {
  const others = left === 1 ? 'The other photo stays' : `The other ${left} photos stay`;
  return `Up to ${memoryLimits.files} photos fit into one upload. ${others} on this device for the next one.`;
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
