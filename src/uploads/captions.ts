import { cannotExceed, forbiddenCharacter } from '../base/form.ts';
import { countText, hasForbiddenCharacter } from '../base/text.ts';
import { memoryLimits } from '../memories/rules.ts';

/** The error of a caption, or undefined. */
export function captionFault(caption: string): string | undefined {
  if (countText(caption) > memoryLimits.caption) return cannotExceed('Caption', memoryLimits.caption).message;
  return hasForbiddenCharacter(caption) ? forbiddenCharacter('Caption') : undefined;
}

/** '48/500' */
export function captionCounter(caption: string): string {
  return `${countText(caption)}/${memoryLimits.caption}`;
}
