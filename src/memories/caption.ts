import { cannotExceed, textFault } from '../base/form-errors.ts';
import { memoryLimits } from './rules.ts';

/** What is wrong with a caption that is typed in. The server counts as the forms do, in code points of the cleaned text. */
export function captionFault(caption: string): string | undefined {
  return textFault(caption, { name: 'Caption', max: cannotExceed('Caption', memoryLimits.caption) });
}
