import { rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { readCouple } from '../../auth/server/couple/couple-store.ts';
import type { CoupleId } from '../../base/ids.ts';
import { invalidField, Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { TransferPlace } from '../../base/server/http/transfer-places.ts';
import { EMPTY_FILE, INVALID_TYPE } from '../../memories/rules.ts';
import { photoTypeOf } from '../../memories/server/pictures/photo-type.ts';
import { readForm } from './read-form.ts';
import type { ReceivedFile } from './receive-file.ts';

/**
 * Checks a photo as an upload would, and stores nothing.
 * @throws Refusal 413 if it is too large; 400 if there is none, or the form is invalid
 */
export async function validatePhoto(
  { db, files, now }: Deps,
  request: FastifyRequest,
  coupleId: CoupleId,
  place: TransferPlace,
): Promise<{ isValid: boolean; errors: string[] }> {
  const path = files.temporary();
  try {
    const { file, errors } = await readForm(request, { path, place });
    if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
    if (file === null) throw invalidField('ImageFile', 'Please choose a photograph');
    const { timeZone } = await readCouple(db.read, coupleId);
    const fault = await faultOf(file, timeZone, now());
    return { isValid: fault === null, errors: fault === null ? [] : [fault] };
  } finally {
    await rm(path, { force: true });
  }
}

async function faultOf(file: ReceivedFile, zone: string, now: number): Promise<string | null> {
  const type = photoTypeOf(file.head);
  if (type === null) return file.size === 0 ? EMPTY_FILE : INVALID_TYPE;
  try {
    // Loaded on first use, as in `store-photo-files.ts`.
    const { inspectPhoto } = await import('../../memories/server/pictures/inspect-photo.ts');
    await inspectPhoto(file.path, type, { zone, now });
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
}
