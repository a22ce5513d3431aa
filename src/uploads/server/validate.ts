import { rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { readCouple } from '../../auth/server/store.ts';
import type { CoupleId } from '../../base/ids.ts';
import { Refusal, refuseField } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import { EMPTY_FILE, INVALID_TYPE } from '../../memories/rules.ts';
import { judgePicture, typeOf } from '../../memories/server/pictures/picture.ts';
import { readForm } from './form.ts';
import type { ReceivedFile } from './receive-file.ts';

/**
 * Judges a file as an upload would, and stores nothing (contract 3, `validate`).
 * @throws Refusal 413 where it is too large, 400 where there is none, or the form is not in order
 */
export async function validatePhotograph(
  { db, files }: Deps,
  request: FastifyRequest,
  coupleId: CoupleId,
): Promise<{ isValid: boolean; errors: string[] }> {
  const temporary = files.temporary();
  try {
    const { file, errors } = await readForm(request, { receive: () => temporary });
    if (errors.length > 0) throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
    if (file === null) throw refuseField('ImageFile', 'Please choose a photograph');
    const { timeZone } = await readCouple(db.read, coupleId);
    const fault = await faultOf(file, timeZone);
    return { isValid: fault === null, errors: fault === null ? [] : [fault] };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function faultOf(file: ReceivedFile, timeZone: string): Promise<string | null> {
  const type = typeOf(file.head);
  if (type === null) return file.size === 0 ? EMPTY_FILE : INVALID_TYPE;
  try {
    await judgePicture(file.path, type, timeZone);
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
}
