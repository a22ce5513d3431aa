import { textOrNull } from '../../base/clean-text.ts';
import type { FieldError } from '../../base/problem.ts';
import { Refusal } from '../../base/refusal.ts';
import { optionalText } from '../../base/schema.ts';
import { type MediaType, memoryLimits } from '../../memories/rules.ts';
import { photoTypeOf } from '../../memories/server/pictures/photo-type.ts';
import { type UploadedForm, wrongType } from './read-form.ts';
import type { ReceivedFile } from './receive-file.ts';

/** A valid form. */
export interface PhotoUpload {
  readonly file: ReceivedFile;
  readonly type: MediaType;
  readonly dateId: string;
  readonly caption: string | null;
}

/** A caption as a form or the metadata of a resumable upload has it. */
export const captionInput = optionalText('Caption', memoryLimits.caption);

/**
 * Checks a form: the file type first, then everything else that is missing or wrong at once.
 * @throws Refusal 415, 400
 */
export function checkUploadForm({ file, texts, errors: found }: UploadedForm): PhotoUpload {
  const type = file === null ? null : photoTypeOf(file.head);
  if (file !== null && type === null) throw wrongType(file.size);
  const dateId = textOrNull(texts.get('PlannedDateId'));
  const caption = captionInput.safeParse(texts.get('Caption'));
  const errors: FieldError[] = [...found];
  const fault = (field: string, message: string | undefined) => {
    if (message !== undefined && !errors.some((known) => known.field === field)) errors.push({ field, message });
  };
  if (file === null) fault('ImageFile', 'Please choose a photograph');
  if (dateId === null) fault('PlannedDateId', 'Please choose a date');
  fault('Caption', caption.error?.issues[0]?.message);
  if (file === null || type === null || dateId === null || !caption.success || errors.length > 0) {
    throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
  }
  return { file, type, dateId, caption: caption.data };
}
