import type { FastifyRequest } from 'fastify';
import type { Call } from '../../call.ts';
import { isId } from '../../ids.ts';
import { notFound, Refusal } from '../../refusal.ts';
import { UPLOAD_PART_TYPE } from '../http/body-parsers.ts';

/** Checks that id params have the shape of an id. @throws Refusal 404, because no other id can exist */
export function assertIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    if (/^id$|Id$/.test(name) && !isId(value)) throw notFound('This');
  }
}

/** Checks the content type before the body is read. @throws Refusal 415 */
export function assertContentType(call: Call, request: FastifyRequest): void {
  const type = request.headers['content-type'] ?? '';
  const isForm = /^multipart\/form-data\s*(;|$)/i.test(type);
  const isUploadPart = type.toLowerCase() === UPLOAD_PART_TYPE;
  if (isUploadPart !== (call.tus?.takesPart ?? false)) {
    throw new Refusal(
      415,
      isUploadPart ? 'Resumable uploads are not supported here.' : `The content type must be ${UPLOAD_PART_TYPE}.`,
    );
  }
  if (call.multipart && !isForm) throw new Refusal(415, 'The content type must be multipart/form-data.');
  if (call.body && isForm) throw new Refusal(415, 'The content type must be application/json.');
}
