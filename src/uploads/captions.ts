import { cannotExceed, forbiddenCharacter } from '../base/form.ts';
import { countText, hasForbiddenCharacter } from '../base/text.ts';
import { memoryLimits } from '../memories/rules.ts';

/** What is wrong with a caption: it is too long, or has characters that no text may have. Page and server share it. */
export function captionFault(caption: string): string | undefined {
  if (countText(caption) > memoryLimits.caption) return cannotExceed('Caption', memoryLimits.caption).message;
  return hasForbiddenCharacter(caption) ? forbiddenCharacter('Caption') : undefined;
}

/** '48/500' */
export function captionCounter(caption: string): string {
  return `${countText(caption)}/${memoryLimits.caption}`;
}
