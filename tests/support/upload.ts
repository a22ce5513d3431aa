import type { Memory } from '../../src/memories/contract.ts';
import type { Caller, Result } from './caller.ts';

export interface PhotoForm {
  readonly dateId?: string;
  readonly caption?: string;
  readonly name?: string;
  readonly type?: string;
  /** Whether the file precedes the other fields. */
  readonly fileFirst?: boolean;
}

/** The multipart form of an upload. */
export function photoForm(
  bytes: Uint8Array<ArrayBuffer> | Buffer | null,
  { dateId, caption, name = 'us.jpg', type = 'image/jpeg', fileFirst = false }: PhotoForm,
): FormData {
  const form = new FormData();
  const addFile = () => {
    if (bytes !== null) form.append('ImageFile', new File([new Uint8Array(bytes)], name, { type }));
  };
  if (fileFirst) addFile();
  if (dateId !== undefined) form.append('PlannedDateId', dateId);
  if (caption !== undefined) form.append('Caption', caption);
  if (!fileFirst) addFile();
  return form;
}

/** Uploads a photograph. */
export function upload(
  caller: Caller,
  bytes: Uint8Array<ArrayBuffer> | Buffer | null,
  form: PhotoForm,
  key?: string,
): Promise<Result<Memory>> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return caller.call('POST /api/Memories', { body: photoForm(bytes, form) }, { headers });
}
